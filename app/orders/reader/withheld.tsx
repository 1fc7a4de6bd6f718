import { MailText } from "#app/ui/mail.tsx";

/** Explains why a mail to an unverified address has no name and no delivery details. */
export function Withheld({ is }: { is?: boolean }) {
  if (!is) return null;
  return (
    <MailText quiet>
      This address was typed at the checkout and isn’t the one of the account, so name, address and delivery details
      aren’t in this mail. Log in to see them.
    </MailText>
  );
}
