import type { RenderedMail } from "#app/ui/mail.tsx";

/** An email as a mail program shows it before pictures are loaded, and its plain text. No script or link works. */
export function MailPreview({ subject, html, text }: RenderedMail) {
  return (
    <div className="grid gap-3">
      <p className="wrap-anywhere">
        <span className="text-muted">Subject:</span> <span className="font-semibold">{subject}</span>
      </p>
      <iframe
        title={`The email “${subject}”`}
        srcDoc={html}
        sandbox=""
        className="h-[75svh] w-full rounded-cut border border-hairline"
        style={{ colorScheme: "light dark" }}
      />
      <details className="rounded-cut bg-linen px-3">
        <summary className="flex min-h-11 items-center underline underline-offset-3">Plain text</summary>
        <p className="whitespace-pre-wrap pb-3 wrap-anywhere">{text}</p>
      </details>
    </div>
  );
}
