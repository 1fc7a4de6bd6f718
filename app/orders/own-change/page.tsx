import type { ReactNode } from "react";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = {
  title: string;
  number: string;
  reference: string;
  /** The answer to the posted form: the focus moves to it. */
  answer: unknown;
  /** What the answer says. */
  problem?: string | null;
  /** Why nothing can be changed. */
  closed: string | null;
  /** The form, as long as something can be changed. */
  children?: ReactNode;
};

/** The page on which shoppers change an order of theirs, with the way back to the order. */
export function OwnChangePage({ title, number, reference, answer, problem, closed, children }: Props) {
  const main = useFocusAnswer<HTMLElement>(answer);
  const back = `/order/${reference}`;
  return (
    <main ref={main} className="page grid max-w-[48rem] gap-8 py-7 lg:py-12">
      <div className="grid gap-2">
        <Link
          to={back}
          className="inline-flex min-h-11 items-center gap-1 justify-self-start text-sm text-muted underline underline-offset-4"
        >
          <ChevronIcon className="size-5 rotate-90" /> <span>{`Order ${number}`}</span>
        </Link>
        <h1 className="headline text-3xl sm:text-5xl">{title}</h1>
      </div>
      <FormError>{problem}</FormError>
      {children ?? (
        <>
          {!problem && <p>{closed}</p>}
          <ButtonLink to={back} look="outline" className="justify-self-start">
            See the order
          </ButtonLink>
        </>
      )}
      <Help about={`my order ${number}`} />
    </main>
  );
}

/** The same page for a visitor who is not logged in. */
export function LoginForOrder({ title }: { title: string }) {
  return (
    <Notice title={title}>
      <p className="text-lg">Please log in to see your order.</p>
      <ButtonLink to="/login?next=/account">Login</ButtonLink>
    </Notice>
  );
}
