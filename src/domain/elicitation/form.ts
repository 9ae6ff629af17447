/** A form that somebody is asked to fill in (MCP elicitation, form mode). Texts are the server's: untrusted, cleaned. */

export interface ElicitationForm {
  /** What is asked for, in the server's words. */
  readonly message: string;
  /** In the order of the server's schema. */
  readonly fields: readonly FormField[];
}

interface FieldFrame {
  /** The key of the answer. Compared exactly; never shown without {@link FieldFrame.title} or escaping. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface FormOption {
  readonly value: string;
  readonly title: string;
}

export type FormField = FieldFrame &
  (
    | {
        readonly type: "text";
        /** In characters, as JSON Schema counts them. */
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly format?: "email" | "uri" | "date" | "date-time";
        readonly default?: string;
      }
    | {
        readonly type: "number" | "integer";
        readonly minimum?: number;
        readonly maximum?: number;
        readonly default?: number;
      }
    | { readonly type: "boolean"; readonly default?: boolean }
    /** Exactly one of the options. */
    | { readonly type: "choice"; readonly options: readonly FormOption[]; readonly default?: string }
    /** Any of the options, none twice. */
    | {
        readonly type: "choices";
        readonly options: readonly FormOption[];
        readonly minItems?: number;
        readonly maxItems?: number;
        readonly default?: readonly string[];
      }
  );

export type FormValue = string | number | boolean | readonly string[];

/** `decline`: a no. `cancel`: no answer at all, the form was closed or nobody is there. */
export type FormAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, FormValue>> }
  | { readonly action: "decline" | "cancel" };
