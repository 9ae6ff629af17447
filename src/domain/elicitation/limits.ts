/** Bounds of a form. Over one the form is refused: cut, it would ask for something else than it seems to. */

/** Our choice: more is no question to a person but a questionnaire. */
export const FORM_FIELD_LIMIT = 64;
/** Of one field. Our choice: a list of countries fits. */
export const FORM_OPTION_LIMIT = 512;
/** In UTF-16 units, as every text bound here. As definitions bound names (D2). */
export const FIELD_NAME_LIMIT = 128;
/** As descriptions are bounded (K9). */
export const FORM_MESSAGE_LIMIT = 8_192;
export const FIELD_DESCRIPTION_LIMIT = 2_048;
/** Of fields and options. */
export const FORM_TITLE_LIMIT = 256;
export const OPTION_VALUE_LIMIT = 1_024;
/** Of one answered or preset text. Our choice: pages of prose fit. */
export const FIELD_TEXT_LIMIT = 65_536;
