import { Link } from "#app/ui/link.tsx";

type Props = { question: string; to: "/login" | "/register"; name: string; onSwitch?(): void };

/**
 * The link between the login and the register form. In the dialog, `onSwitch` shows the other form instead of opening a
 * page.
 */
export function OtherForm({ question, to, name, onSwitch }: Props) {
  return (
    <p>
      {`${question} `}
      <Link
        to={to}
        onClick={(event) => {
          if (!onSwitch) return;
          event.preventDefault();
          onSwitch();
        }}
        className="text-palm underline underline-offset-4"
      >
        {name}
      </Link>
    </p>
  );
}
