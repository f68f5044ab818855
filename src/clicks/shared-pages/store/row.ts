/** A shared page as it is stored. */
export interface SharedPageRow {
  id: string;
  account_id: number;
  link_id: string | null;
  tag: string | null;
  title: string | null;
  /** Encrypted. */
  token: string;
  password_hash: string | null;
  password_attacked_at: number | null;
  show_destination: 0 | 1;
  created_at: number;
  updated_at: number;
}

export const SHARED_PAGE_COLUMNS =
  "id, account_id, link_id, tag, title, token, password_hash, password_attacked_at, show_destination, created_at, updated_at";
