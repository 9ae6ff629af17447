/** Of the package; a test compares it with package.json. Reading that file would cost every start. */
export const VERSION = "0.1.0";
