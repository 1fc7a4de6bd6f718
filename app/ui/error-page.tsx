import { ButtonLink } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** `again`: the page may come another time. */
export function ErrorPage({ title, text, again = false }: { title: string; text: string; again?: boolean }) {
  return (
    <Notice title={title}>
      <p className="text-lg">{text}</p>
      <div className="flex flex-wrap justify-center gap-3">
        {again && (
          <ButtonLink to="" reload>
            Try again
          </ButtonLink>
        )}
        <ButtonLink to="/shop" look={again ? "outline" : "solid"}>
          To the shop
        </ButtonLink>
      </div>
    </Notice>
  );
}
