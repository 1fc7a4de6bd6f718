import { ButtonLink } from "./button.tsx";

export function ErrorPage({ title, text }: { title: string; text: string }) {
  return (
    <main className="page grid min-h-[60vh] content-center justify-items-start gap-4 py-20">
      <h1 className="headline text-4xl sm:text-6xl">{title}</h1>
      <p className="max-w-prose text-lg">{text}</p>
      <ButtonLink to="/shop">To the shop</ButtonLink>
    </main>
  );
}
