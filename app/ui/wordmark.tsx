import { Link } from "react-router";

export function Wordmark({ className = "" }: { className?: string }) {
  return (
    <Link to="/" aria-label="IREPO, to the home page" className={`display text-2xl tracking-tight ${className}`}>
      IREPO
    </Link>
  );
}
