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
    if (location === null)
      throw new Error(
        `the page at ${new URL(url).pathname} says ${answer.status}: ${(await answer.text()).slice(0, 2000)}`,
      );
    await answer.body?.cancel();
    url = new URL(location, url).href;
    if (url.startsWith(`${until}?`)) return url;
  }
  throw new Error("the pages never end");
}
