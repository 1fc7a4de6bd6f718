/** The mail server's response for a mail that is still queued. */
export function MailServerSays({ error }: { error: string | null }) {
  if (error === null) return <span>The mail server hasn’t been asked yet.</span>;
  return (
    <span>
      The mail server says: <q className="wrap-anywhere">{error}</q>
    </span>
  );
}
