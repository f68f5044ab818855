/** A custom domain. Times are Unix milliseconds. */
export interface Domain {
  id: string;
  domain: string;
  unicodeDomain: string;
  status: "pending" | "verified";
  caseSensitive: boolean;
  /** What the domain needs before its links work. */
  records: DomainRecord[];
  notFoundUrl: string | null;
  rootUrl: string | null;
  appleAppSiteAssociation: AppleAppSiteAssociation | null;
  assetLinks: AssetLinks | null;
  brandName: string | null;
  /** The https URL of an image. */
  brandLogo: string | null;
  /** `#rrggbb`. */
  brandColor: string | null;
  createdAt: number;
  verifiedAt: number | null;
  lostAt: number | null;
}

export type DomainRecord =
  | { type: "TXT" | "CNAME"; name: string; value: string; found: boolean | null }
  | { type: "certificate"; name: string; status: string; error: string | null; found: boolean | null };

export interface AddDomain {
  domain: string;
  caseSensitive?: boolean;
}

export interface UpdateDomain {
  rootUrl?: string | null;
  notFoundUrl?: string | null;
  appleAppSiteAssociation?: AppleAppSiteAssociation | null;
  assetLinks?: AssetLinks | null;
  brandName?: string | null;
  brandLogo?: string | null;
  brandColor?: string | null;
  caseSensitive?: boolean;
}

export interface DeleteDomain {
  /** Whether the links of the domain are deleted too. */
  force?: boolean;
}

export interface VerifiedDomain {
  domain: Domain;
  verified: boolean;
  /** What the DNS has. */
  seen: { TXT: string[]; CNAME: string[] };
}

export interface DomainDeepLinks {
  domainId: string;
  domain: string;
  appleAppSiteAssociation: AppleAppSiteAssociation | null;
  assetLinks: AssetLinks | null;
}

export interface UpdateDomainDeepLinks {
  appleAppSiteAssociation?: AppleAppSiteAssociation | null;
  assetLinks?: AssetLinks | null;
}

/** Members that are not documented. */
interface Others {
  [member: string]: unknown;
}

interface Apps extends Others {
  apps: string[];
}

interface Matching extends Others {
  caseSensitive?: boolean;
  percentEncoded?: boolean;
}

interface Component extends Matching {
  "/"?: string;
  "?"?: string | Record<string, string>;
  "#"?: string;
  exclude?: boolean;
  comment?: string;
}

interface Detail extends Others {
  appIDs?: string[];
  appID?: string;
  components?: Component[];
  paths?: string[];
  defaults?: Matching;
}

/** https://developer.apple.com/documentation/xcode/supporting-associated-domains */
export interface AppleAppSiteAssociation extends Others {
  applinks?: {
    apps?: unknown[];
    details?: Detail[];
    defaults?: Matching;
    substitutionVariables?: Record<string, string[]>;
    [member: string]: unknown;
  };
  webcredentials?: Apps;
  appclips?: Apps;
  activitycontinuation?: Apps;
}

interface AndroidApp extends Others {
  namespace: "android_app";
  package_name: string;
  sha256_cert_fingerprints: string[];
}

interface Site extends Others {
  namespace: "web";
  site: string;
}

interface Statement extends Others {
  relation?: string[];
  target?: AndroidApp | Site;
  include?: string;
}

/** https://developers.google.com/digital-asset-links/v1/statements */
export type AssetLinks = Statement[];
