/**
 * What an address is to a host that calls servers it does not know:
 *
 * - `public`: globally reachable.
 * - `private`: a network of somebody's own; a host may allow it by destination (E5).
 * - `loopback`: this machine; likewise.
 * - `metadata`: instance services of a cloud. Never, whatever a host allows (E4).
 * - `reserved`: nothing that answers HTTP has a business there (multicast, documentation, unassigned). Never.
 * - `invalid`: not the text of an address, or one with a zone id.
 */
export type AddressVerdict = "public" | "private" | "loopback" | "metadata" | "reserved" | "invalid";

/** A block and its verdict. The first block that holds an address decides, so exceptions stand first. */
export type AddressRange = readonly [cidr: string, verdict: Exclude<AddressVerdict, "invalid">];

/** IANA IPv4 Special-Purpose Address Registry, multicast, and where clouds put their instance services. */
export const IPV4_RANGES: readonly AddressRange[] = [
  ["169.254.169.0/24", "metadata"], // AWS, Google, Azure, Oracle, DigitalOcean, OpenStack
  ["169.254.170.0/24", "metadata"], // AWS container and pod credentials
  ["169.254.0.23/32", "metadata"], // Tencent
  ["169.254.42.42/32", "metadata"], // Scaleway
  ["100.100.100.200/32", "metadata"], // Alibaba, inside the shared address space
  ["192.0.0.192/32", "metadata"], // Oracle Cloud Classic
  ["168.63.129.16/32", "metadata"], // Azure's host agent: a public address that never leaves the host
  ["0.0.0.0/8", "reserved"], // "this network"; 0.0.0.0 reaches this machine on most systems
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "private"], // shared address space (carrier NAT, overlay networks)
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "private"], // link-local
  ["172.16.0.0/12", "private"],
  ["192.0.0.9/32", "public"], // Port Control Protocol anycast
  ["192.0.0.10/32", "public"], // TURN anycast
  ["192.0.0.0/24", "reserved"], // IETF protocol assignments
  ["192.0.2.0/24", "reserved"], // documentation
  ["192.88.99.0/24", "reserved"], // 6to4 relay anycast, deprecated
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "private"], // benchmarking; local proxies hand these out as stand-in addresses
  ["198.51.100.0/24", "reserved"], // documentation
  ["203.0.113.0/24", "reserved"], // documentation
  ["224.0.0.0/4", "reserved"], // multicast
  ["240.0.0.0/4", "reserved"], // future use, and limited broadcast
  ["0.0.0.0/0", "public"],
];

/**
 * IANA IPv6 Special-Purpose Address Registry; outside it, only 2000::/3 is assigned as global unicast.
 * Forms that hold an IPv4 address are judged before this table is asked.
 */
export const IPV6_RANGES: readonly AddressRange[] = [
  ["fd00:ec2::/32", "metadata"], // AWS
  ["fd20:ce::254/128", "metadata"], // Google
  ["fd00:42::42/128", "metadata"], // Scaleway
  ["::1/128", "loopback"],
  ["fc00::/7", "private"], // unique local
  ["fe80::/10", "private"], // link-local
  ["fec0::/10", "private"], // site-local, deprecated
  ["2001:1::1/128", "public"], // Port Control Protocol anycast
  ["2001:1::2/128", "public"], // TURN anycast
  ["2001:1::3/128", "public"], // DNS-SD service registration anycast
  ["2001:3::/32", "public"], // AMT
  ["2001:4:112::/48", "public"], // AS112
  ["2001:20::/28", "public"], // ORCHIDv2
  ["2001:30::/28", "public"], // drone remote identification
  ["2001::/23", "reserved"], // IETF protocol assignments, benchmarking and ORCHID among them
  ["2001:db8::/32", "reserved"], // documentation
  ["3fff::/20", "reserved"], // documentation
  ["2000::/3", "public"],
  ["::/0", "reserved"],
];
