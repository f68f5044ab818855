// In the deployed Worker, this module is in place of the packages for ASN.1 and X.509 of @simplewebauthn/server (wrangler.toml,
// [alias]). They read the certificates of attestations, which this service never asks for: `attestation` is "none". Of ASN.1,
// only the signatures of passkeys remain. The build fails if the library imports a name that is missing here.

const [SEQUENCE, INTEGER] = [0x30, 0x02];

const unsupported = () => new Error("Attestations with certificates are not supported.");

// oxlint-disable-next-line typescript/no-extraneous-class -- the library calls it with "new"
class Unsupported {
  constructor() {
    throw unsupported();
  }
}

/** The type of ECDSA signatures, which are a sequence of the integers r and s. */
const Signature = {};

export const AsnParser = {
  /**
   * Returns the numbers of an ECDSA signature with P-256, big-endian: all of its lengths are single bytes. Throws for another
   * type, and if the bytes are no signature.
   */
  parse(der: Uint8Array, type: unknown): { r: Uint8Array; s: Uint8Array } {
    if (type !== Signature) throw unsupported();
    const middle = 4 + (der[3] ?? 0);
    const end = middle + 2 + (der[middle + 1] ?? 0);
    const hasTags = der[0] === SEQUENCE && der[2] === INTEGER && der[middle] === INTEGER;
    if (!hasTags || der[1] !== der.length - 2 || end !== der.length) throw new Error("The signature is not in DER.");
    return { r: der.slice(4, middle), s: der.slice(middle + 2) };
  },
};

export {
  Signature as ECDSASigValue,
  Unsupported as AuthorityKeyIdentifierExtension,
  Unsupported as BasicConstraints,
  Unsupported as CRLDistributionPointsExtension,
  Unsupported as Certificate,
  Unsupported as ECParameters,
  Unsupported as ExtendedKeyUsage,
  Unsupported as KeyDescription,
  Unsupported as OctetString,
  Unsupported as RSAPublicKey,
  Unsupported as SubjectAlternativeName,
  Unsupported as SubjectKeyIdentifierExtension,
  Unsupported as X509Certificate,
  Unsupported as X509ChainBuilder,
  Unsupported as X509Crl,
  Unsupported as id_ce_basicConstraints,
  Unsupported as id_ce_extKeyUsage,
  Unsupported as id_ce_keyDescription,
  Unsupported as id_ce_subjectAltName,
  Unsupported as id_ecPublicKey,
  Unsupported as id_ecdsaWithSHA256,
  Unsupported as id_ecdsaWithSHA384,
  Unsupported as id_ecdsaWithSHA512,
  Unsupported as id_ml_dsa_44,
  Unsupported as id_ml_dsa_65,
  Unsupported as id_ml_dsa_87,
  Unsupported as id_rsaEncryption,
  Unsupported as id_secp256r1,
  Unsupported as id_secp384r1,
  Unsupported as id_sha1WithRSAEncryption,
  Unsupported as id_sha256WithRSAEncryption,
  Unsupported as id_sha384WithRSAEncryption,
  Unsupported as id_sha512WithRSAEncryption,
};
