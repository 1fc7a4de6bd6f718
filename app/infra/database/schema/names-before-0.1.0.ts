/** The names of tables and columns before 22 November 2026, by their present names. */
export const FORMER_TABLES: Record<string, string> = { orders: "attempts", payment_issues: "reconciliation_breaks" };

export const FORMER_COLUMNS: Record<string, string> = {
  "reservations.order_id": "attempt_id",
  "payments.order_id": "attempt_id",
  "sales.order_id": "attempt_id",
  "cart_lines.idempotency_key": "added_as",
  "outbox.idempotency_key": "key",
  "outbox.tries": "attempts",
  "refunds.tries": "attempts",
};

/** Dropped columns, whose values nothing depends on. */
export const GONE_COLUMNS = ["webhook_inbox.done_at"];

/** Columns without a default, with the SQL value for rows that are older than the column. */
export const FILLED_COLUMNS: Record<string, string> = { "cart_merges.lines": "'[]'" };

/**
 * Tables whose rows are not worth keeping: tries of the last minutes, changes that no process waits for, and copies of
 * files.
 */
export const FORGOTTEN_TABLES = ["rate_limits", "catalog_changes", "catalog_era", "assets"];

export const FORMER_FUNCTIONS = ["note_catalog_change", "note_in_stock", "note_stock_change"];
