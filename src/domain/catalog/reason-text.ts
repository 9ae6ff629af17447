import type { ItemReason, ProfileReason, RejectReason, SchemaReason } from "./adapt-reason.ts";
import type { AdaptReason } from "./catalog.ts";

const ADAPTED: Readonly<Record<SchemaReason | ProfileReason | ItemReason, string>> = {
  "schema-missing": "the server gave no input schema, so any arguments are accepted",
  "schema-empty-array": "an empty list stood where a schema belongs, and was read as an empty one",
  "root-type-missing": "the schema does not say that arguments are an object, which was added",
  "root-type-union": "the schema allows arguments that are no object, which no call can have",
  "properties-array": "an empty list stood where properties belong, and was read as none",
  "type-union": "a list of types was written as alternatives",
  "boolean-schema": "a schema `true` or `false` was written out",
  "exclusive-bound": "a bound was exclusive in the old spelling, and was rewritten",
  "all-of-merged": "the parts of `allOf` were merged into one schema",
  "idle-keyword": "a keyword that cannot apply to the given type was left out",
  "false-property": "a property that may never be there was left out",
  "required-duplicate": "a required name was listed twice",
  "root-combinator": "alternatives at the root were folded into one object",
  "one-of": "exactly one alternative was asked for; any is accepted",
  "all-of": "two demands that cannot be said together became one of them",
  "any-of": "two sets of alternatives cannot be said together; one is not checked",
  conditional: "a condition (`if`) is not checked",
  "keyword-unsupported": "a keyword is not checked",
  "keyword-malformed": "a keyword without a usable value is not checked",
  "schema-malformed": "what stood where a schema belongs is none, and accepts anything",
  "type-unknown": "an unknown type is not checked",
  tuple: "a list with a schema for each place is checked as one schema for all",
  "pattern-properties": "properties by pattern are not checked",
  "pattern-unbounded": "a pattern that could take too long is not checked",
  "pattern-invalid": "a pattern that is no regular expression is not checked",
  "enum-empty": "an empty list of values accepts anything",
  "enum-limit": "a list of values is too large to be checked",
  "root-enum": "values given for the whole of the arguments are not checked",
  "default-dropped": "a default value is too large to be shown",
  "ref-recursive": "a schema that contains itself is cut where it would repeat",
  "ref-unresolved": "a reference to nothing accepts anything",
  "ref-dynamic": "a dynamic reference accepts anything",
  "ref-siblings": "keywords beside a reference do not count in this dialect",
  "expansion-limit": "references repeat too much; from here on anything is accepted",
  "node-limit": "the schema is too large; from here on anything is accepted",
  "depth-limit": "the schema is too deep; from here on anything is accepted",
  "property-renamed": "the model API does not take the name of this property, which is shown under another",
  "keyword-not-taken": "the model API does not take a keyword, which is not shown; calls are still checked",
  "bound-widened": "the model API knows no exclusive bounds, so the bound itself is shown as allowed",
  "enum-values": "the model API does not take some of the listed values, which are not shown",
  "any-value": "the model API wants a type here, so only some kinds of values are shown as allowed",
  "additional-closed": "the model API takes no properties but those that are listed",
  "property-clash": "the model API does not take the name of this property, and another has its replacement",
  "shown-depth-limit": "the schema is deeper here than the model API takes, so this is not shown",
  "shown-property-limit": "the schema has more properties than the model API takes, so this one is not shown",
  "shown-enum-limit": "more values are listed than the model API takes, so they are not shown",
  "shown-text-limit": "names and values are longer than the model API takes, so this is not shown",
  "required-left-out":
    "the server wants this property and the model API cannot be shown it, so calls will not fit",
  "name-altered": "the name cannot be used as it is, so the catalog's differs",
  "text-cleaned": "hidden or control characters were removed from a text",
  "text-cut": "a text of more than 8,192 characters was cut",
  "text-malformed": "a text that is none was left out",
  "annotation-dropped": "a hint that is not true or false was left out",
  "argument-dropped": "an argument without a usable name was left out",
  "output-schema-dropped": "the output schema cannot be used, so results are not checked",
  "task-required": "the server wants this tool called as a task, which is not supported; a call may fail",
  "result-size-ignored":
    "the size asked for results is no whole number above 25,000 and up to 500,000, so the default holds",
  "arguments-in-headers":
    "the server asks for arguments in HTTP headers as well, where others can read them; that is done only where the host allows it for this tool",
  "more-reasons": "there are more places like these",
};

const REJECTED: Readonly<Record<RejectReason, string>> = {
  "dialect-unknown": "its schema is written in a dialect of JSON Schema that is not known here",
  "schema-not-object": "its input schema is no schema",
  "root-not-object": "its schema describes arguments that are no object, which no call can have",
  "accepts-nothing": "its schema accepts no arguments at all",
  "ref-remote": "its schema refers to another document, and nothing is fetched for a schema",
  "ref-loop": "its schema refers to itself in a circle, so that no type follows from it",
  "not-an-object": "the entry is no object",
  "name-missing": "the entry has no name",
  "name-empty": "its name is empty",
  "name-too-long": "its name has more than 1,024 characters",
  "uri-missing": "the entry has no URI",
  "uri-too-long": "its URI has more than 8,192 characters",
  duplicate: "the server lists it more than once, so it is not clear which is meant",
  filtered: "the definition's `tools` lists leave it out",
  "too-many-items": "the list has more than 10,000 entries",
  "name-clash": "its name in the catalog is another's as well",
  "header-name-invalid": "it asks for an argument in an HTTP header whose name is no header's name",
  "header-name-duplicate": "it asks for two arguments in one HTTP header",
  "header-type-not-allowed":
    "it asks for an argument in an HTTP header that is neither a text, a whole number nor true or false",
  "header-misplaced": "it asks for something in an HTTP header that is no argument of its own",
  "header-too-many": "it asks for more than 32 arguments in HTTP headers",
  "definition-changed":
    "its definition is not the one that was pinned; `sallyport tools --changes` shows both",
  "definition-new": "it came after the tools of this server were pinned, and nobody has accepted it yet",
  "pins-unreadable": "what was pinned of this server cannot be read, so that nobody knows whether it changed",
};

/** Says why an item is not exactly what its server said, and where. */
export function describeAdaptReason({ reason, path }: AdaptReason): string {
  return path === undefined || path === "" ? ADAPTED[reason] : `${ADAPTED[reason]} (${path})`;
}

/** Says why an item was not admitted. */
export function describeRejectReason(reason: RejectReason): string {
  return REJECTED[reason];
}
