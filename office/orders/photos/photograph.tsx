/** A small photograph that leads to the whole one, in a new tab. `about`: what it shows. */
export function Photograph({ to, about }: { to: string; about: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer" className="block">
      <img
        src={to}
        loading="lazy"
        alt={`${about}; opens in a new tab`}
        width={88}
        height={110}
        className="h-27.5 w-22 bg-linen object-cover"
      />
    </a>
  );
}
