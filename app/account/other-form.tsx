import { Link } from "#app/ui/link.tsx";

type Props = { question: string; to: "/login" | "/register"; name: string; onSwitch?(): void };

/** From login to register and back; in the dialog (`onSwitch`) the other form is a switch away, not a page. */
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
