// What the two files look like, for people to fill in.

export const APPLE_EXAMPLE = {
  applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/*" }] }] },
};

export const ASSET_LINKS_EXAMPLE = [
  {
    relation: ["delegate_permission/common.handle_all_urls"],
    target: {
      namespace: "android_app",
      package_name: "com.example.app",
      sha256_cert_fingerprints: [Array.from({ length: 32 }, () => "00").join(":")],
    },
  },
];
