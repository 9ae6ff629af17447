import type { Settings } from "./decode-settings.ts";
import type { MaterialisedText, Material, OauthSettings } from "./definition.ts";
import { encodeBoolean, encodeMaterialised, encodeNumber, encodeText, encodeTexts } from "./encoding.ts";
import { REDACTED, showArguments, showCommandLine, showPlain, showText, showUrl } from "./shown.ts";

/** The part of a definition besides its material that changes what is started or contacted. */
export interface CoveredSettings extends Omit<Settings, "disabled"> {
  readonly oauth?: OauthSettings;
}

export interface ListedField {
  readonly path: string;
  readonly encoding: string;
  readonly show: () => string;
}

/** Lists every field that changes what is started or contacted, present ones only, in a fixed order (D14). */
export function listFields(settings: CoveredSettings, material: Material): readonly ListedField[] {
  const fields: ListedField[] = [plain("transport", material.transport)];
  if (material.transport === "stdio") {
    fields.push(readable("command", material.command, showText));
    // The masked form of one argument may depend on the one before it, so that they are shown together.
    const shown = (index: number): string => showArguments(material.args)[index] ?? "";
    for (const [index, arg] of material.args.entries()) {
      fields.push(readable(`args[${index}]`, arg, () => shown(index)));
    }
    if (material.cwd !== undefined) fields.push(readable("cwd", material.cwd, showText));
  } else {
    fields.push(readable("url", material.url, showUrl));
    fields.push(...listMap("headers", material.headers));
    const helper = material.headersHelper;
    if (helper !== undefined) {
      const words = [helper.command, ...helper.args];
      fields.push({
        path: "headersHelper",
        encoding: encodeTexts(words),
        show: () => showCommandLine(words.map((text) => ({ text, stretches: [] }))),
      });
    }
  }
  fields.push(...listMap("env", material.env), ...listSettings(settings));
  return fields;
}

function listSettings(settings: CoveredSettings): readonly ListedField[] {
  const fields: ListedField[] = [];
  const { timeoutMs, protocolVersion, skills, tools, oauth } = settings;
  if (timeoutMs !== undefined) fields.push(number("timeout", timeoutMs));
  if (protocolVersion !== undefined) fields.push(plain("protocolVersion", protocolVersion));
  if (skills) fields.push({ path: "skills", encoding: encodeBoolean(true), show: () => "true" });
  if (tools.allow !== undefined) fields.push(list("tools.allow", tools.allow));
  if (tools.deny.length > 0) fields.push(list("tools.deny", tools.deny));
  if (oauth !== undefined) fields.push(...listOauth(oauth));
  return fields;
}

function listOauth(oauth: OauthSettings): readonly ListedField[] {
  // An empty object asks for sign-in too, so that its presence is covered by itself.
  const fields: ListedField[] = [plain("oauth", "sign-in")];
  const { clientId, callbackPort, clientMetadataUrl, authServerMetadataUrl, scopes } = oauth;
  if (clientId !== undefined) fields.push(plain("oauth.clientId", clientId));
  if (callbackPort !== undefined) fields.push(number("oauth.callbackPort", callbackPort));
  if (clientMetadataUrl !== undefined) fields.push(plain("oauth.clientMetadataUrl", clientMetadataUrl));
  if (authServerMetadataUrl !== undefined) {
    fields.push(plain("oauth.authServerMetadataUrl", authServerMetadataUrl));
  }
  if (scopes !== undefined) fields.push(list("oauth.scopes", scopes));
  return fields;
}

function listMap(
  path: "env" | "headers",
  map: ReadonlyMap<string, MaterialisedText>,
): readonly ListedField[] {
  // Code-unit order: the same on every machine and in every locale.
  return [...map]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => readable(`${path}.${key}`, value, () => REDACTED));
}

function readable(
  path: string,
  value: MaterialisedText,
  show: (value: MaterialisedText) => string,
): ListedField {
  return { path, encoding: encodeMaterialised(value), show: () => show(value) };
}

function plain(path: string, value: string): ListedField {
  return { path, encoding: encodeText(value), show: () => showPlain(value) };
}

function number(path: string, value: number): ListedField {
  return { path, encoding: encodeNumber(value), show: () => String(value) };
}

function list(path: string, values: readonly string[]): ListedField {
  return {
    path,
    encoding: encodeTexts(values),
    show: () => values.map((value) => showPlain(value)).join(" "),
  };
}
