import { ButtonLink } from "./button.tsx";
import { Notice } from "./notice.tsx";

export function ErrorPage({ title, text }: { title: string; text: string }) {
  return (
    <Notice title={title}>
      <p className="text-lg">{text}</p>
      <ButtonLink to="/shop">To the shop</ButtonLink>
    </Notice>
  );
}
