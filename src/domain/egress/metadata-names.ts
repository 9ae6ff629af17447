/**
 * Names under which clouds serve instance credentials (E4). The addresses behind them are refused as well;
 * the names are listed so that a proxy, which resolves by itself, is never asked for them.
 */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "metadata.platformequinix.com",
  "metadata.packet.net",
  "rancher-metadata",
  "rancher-metadata.rancher.internal",
]);

/** Says whether a host name, lower case, is one of a metadata service, with or without a trailing dot. */
export function isMetadataName(hostname: string): boolean {
  return METADATA_NAMES.has(hostname.replace(/\.$/, ""));
}
