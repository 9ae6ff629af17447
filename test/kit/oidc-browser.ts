import { get } from "node:http";

/** A person's browser: keeps cookies, follows redirects, and stops where it is sent back to the program. */
export async function browse(
  startUrl: string,
  { until, signal }: { readonly until: string; readonly signal: AbortSignal },
): Promise<string> {
  const cookies = new Map<string, string>();
  let url = startUrl;
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", signal, headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`the page ${new URL(url).pathname} says ${answer.status}`);
    await answer.body?.cancel();
    url = new URL(location, url).href;
    if (url.startsWith(`${until}?`)) return url;
  }
  throw new Error("the pages never end");
}

/** Goes to a page as a browser does when it is sent there. The page that comes back is nobody's concern. */
export async function visit(url: string): Promise<void> {
  const headers = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  await new Promise<void>((resolve) => {
    const sent = get(url, { headers }, (page) => page.resume().on("close", resolve));
    // Turned away, or nobody listens any more: a browser shows an error, and the program hears nothing.
    sent.on("error", () => resolve());
  });
}
