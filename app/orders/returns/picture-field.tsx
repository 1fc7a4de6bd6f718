import { type InputHTMLAttributes, useEffect, useLayoutEffect, useRef, useState } from "react";
import { CloseIcon } from "#app/ui/icons.tsx";

/** The first `most` files in a file field, also if they were chosen before hydration. The field keeps no others. */
export function useChosenFiles(most: number) {
  const field = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [isCut, setCut] = useState(false);
  const read = () => {
    const all = [...(field.current?.files ?? [])];
    setCut(all.length > most);
    if (all.length > most) choose(all.slice(0, most));
    else setFiles(all);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was chosen before hydration
  useLayoutEffect(read, []);
  const choose = (wanted: File[]) => {
    if (!field.current) return;
    const list = new DataTransfer();
    for (const file of wanted) list.items.add(file);
    field.current.files = list.files;
    setFiles(wanted);
  };
  return { field, files, isCut, choose, read };
}

type Props = Pick<InputHTMLAttributes<HTMLInputElement>, "id" | "name" | "required"> & {
  label: string;
  chosen: ReturnType<typeof useChosenFiles>;
  /** How many more a return can have. */
  left: number;
  problem?: string;
  /** Whether the files are being sent: then none can be removed. */
  busy?: boolean;
};

/** A field for photographs, with a preview of each, which can be removed. */
export function PictureField({ id, label, chosen, left, problem, busy, ...input }: Props) {
  const { field, files, isCut, choose, read } = chosen;
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {label}
      </label>
      <input
        {...input}
        ref={field}
        id={id}
        type="file"
        // Makes phones that store HEIC convert the pictures to JPEG.
        accept="image/jpeg,image/png,image/webp"
        multiple
        onChange={read}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint${problem ? ` ${id}-error` : ""}`}
        className={`w-full rounded-cut border bg-white p-3 text-base ${problem ? "border-error" : "border-ink/50"}`}
      />
      <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
        <span>{left === 1 ? "One more" : `Up to ${left}`}</span>, at most 8 MB each. Only you and our staff see them.
      </p>
      <p role="status" className="mt-1 text-sm font-medium empty:hidden">
        {isCut &&
          (left === 1
            ? "You can add one more: we kept the first."
            : `You can add up to ${left}: we kept the first ${left}.`)}
      </p>
      {problem && (
        <p id={`${id}-error`} className="mt-1 text-sm font-medium text-error">
          {problem}
        </p>
      )}
      {files.length > 0 && (
        <ul aria-label="Chosen photographs" className="mt-3 flex flex-wrap gap-3">
          {files.map((file) => (
            <li key={[file.name, file.size, file.lastModified].join()} className="relative">
              <Preview file={file} />
              {!busy && (
                <button
                  type="button"
                  onClick={() => {
                    choose(files.filter((one) => one !== file));
                    field.current?.focus();
                  }}
                  className="absolute top-0 right-0 grid size-11 place-items-center"
                >
                  <span className="grid size-7 place-items-center rounded-full bg-ink text-paper">
                    <CloseIcon className="size-4" />
                  </span>
                  <span className="sr-only">{`Remove ${file.name}`}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A chosen picture. If the browser cannot show it, its name. */
function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  const [isUnreadable, setUnreadable] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  const look = "size-24 rounded-cut border border-hairline bg-white";
  if (isUnreadable) return <span className={`block p-2 pt-10 text-xs wrap-anywhere ${look}`}>{file.name}</span>;
  return (
    <img
      src={url}
      alt={file.name}
      width={96}
      height={96}
      onError={() => setUnreadable(true)}
      className={`object-cover ${look}`}
    />
  );
}
