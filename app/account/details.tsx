import type { UserSummary } from "#app/account/session/summary.ts";
import { CheckIcon } from "#app/ui/icons.tsx";

export function AccountDetails({ user }: { user: UserSummary }) {
  return (
    <section aria-labelledby="details" className="rounded-cut bg-linen p-4 sm:p-5">
      <div className="mb-3 flex min-h-6 items-center justify-between gap-4">
        <h2 id="details" className="label">
          Account details
        </h2>
        {user.emailVerified && (
          <p className="inline-flex items-center gap-2 font-semibold text-palm">
            <CheckIcon className="size-5" /> Verified
          </p>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
        <Detail name="First name" value={user.firstName} />
        <Detail name="Last name" value={user.lastName} />
        <Detail name="Email" value={user.email} className="col-span-full sm:col-span-1" />
      </dl>
    </section>
  );
}

function Detail({ name, value, className }: { name: string; value: string; className?: string }) {
  return (
    <div className={className}>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold break-words">{value}</dd>
    </div>
  );
}
