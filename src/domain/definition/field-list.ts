import type { Settings } from "./decode-settings.ts";
import type { MaterialisedText, Material, OauthSettings } from "./definition.ts";

/** The part of a definition besides its material that changes what is started or contacted. */
export interface CoveredSettings extends Omit<Settings, "disabled"> {
  readonly oauth?: OauthSettings;
}

/** Is told every covered field, one by one. */
export interface FieldVisitor {
  plain(path: string, value: string | number | true): void;
  list(path: string, values: readonly string[]): void;
  /** `url`, or other text that may be read; `value` of `env` and `headers` is shown to nobody. */
  text(path: string, text: MaterialisedText, form: "text" | "url" | "value"): void;
  args(path: string, args: readonly MaterialisedText[]): void;
}

/** Walks over all that changes what is started or contacted, present fields only, in a fixed order (D14). */
export function visitFields(settings: CoveredSettings, material: Material, visitor: FieldVisitor): void {
  visitor.plain("transport", material.transport);
  if (material.transport === "stdio") {
    visitor.text("command", material.command, "text");
    visitor.args("args", material.args);
    if (material.cwd !== undefined) visitor.text("cwd", material.cwd, "text");
  } else {
    visitor.text("url", material.url, "url");
    visitMap("headers", material.headers, visitor);
    const helper = material.headersHelper;
    if (helper !== undefined) visitor.list("headersHelper", [helper.command, ...helper.args]);
  }
  visitMap("env", material.env, visitor);
  visitSettings(settings, visitor);
}

function visitSettings(settings: CoveredSettings, visitor: FieldVisitor): void {
  const { timeoutMs, protocolVersion, skills, tools, oauth } = settings;
  if (timeoutMs !== undefined) visitor.plain("timeout", timeoutMs);
  if (protocolVersion !== undefined) visitor.plain("protocolVersion", protocolVersion);
  if (skills) visitor.plain("skills", true);
  if (tools.allow !== undefined) visitor.list("tools.allow", tools.allow);
  if (tools.deny.length > 0) visitor.list("tools.deny", tools.deny);
  if (oauth !== undefined) visitOauth(oauth, visitor);
}

function visitOauth(oauth: OauthSettings, visitor: FieldVisitor): void {
  const { clientId, callbackPort, clientMetadataUrl, authServerMetadataUrl, scopes } = oauth;
  // An empty object asks for sign-in too, so that its presence is covered by itself.
  visitor.plain("oauth", true);
  if (clientId !== undefined) visitor.plain("oauth.clientId", clientId);
  if (callbackPort !== undefined) visitor.plain("oauth.callbackPort", callbackPort);
  if (clientMetadataUrl !== undefined) visitor.plain("oauth.clientMetadataUrl", clientMetadataUrl);
  if (authServerMetadataUrl !== undefined) {
    visitor.plain("oauth.authServerMetadataUrl", authServerMetadataUrl);
  }
  if (scopes !== undefined) visitor.list("oauth.scopes", scopes);
}

function visitMap(
  path: "env" | "headers",
  map: ReadonlyMap<string, MaterialisedText>,
  visitor: FieldVisitor,
): void {
  // Code-unit order: the same on every machine and in every locale.
  for (const key of [...map.keys()].toSorted()) {
    const text = map.get(key);
    if (text !== undefined) visitor.text(`${path}.${key}`, text, "value");
  }
}
