import { Field } from "#app/ui/field.tsx";

type Names = { firstName?: string; lastName?: string };

/** First and last name, side by side on wide screens. */
export function NameFields({ kept, errors, maxLength }: { kept?: Names; errors?: Names; maxLength?: number }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="First name"
        name="firstName"
        autoComplete="given-name"
        required
        maxLength={maxLength}
        defaultValue={kept?.firstName}
        error={errors?.firstName}
      />
      <Field
        label="Last name"
        name="lastName"
        autoComplete="family-name"
        required
        maxLength={maxLength}
        defaultValue={kept?.lastName}
        error={errors?.lastName}
      />
    </div>
  );
}
