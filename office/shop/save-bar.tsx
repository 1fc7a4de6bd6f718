import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { Button, SaveButton } from "../frame/button.tsx";

type Props = {
  label: string;
  /** What was done, or is still to be done. */
  status?: string;
  isDisabled: boolean;
  /** Whether to show a button for a preview. */
  hasPreview?: boolean;
  /** Messages about the form as a whole. */
  children?: ReactNode;
};

/** The bar with the save button, which sticks to the bottom of the window. On phones it is above the tabs. */
export function SaveBar({ label, status, isDisabled, hasPreview = false, children }: Props) {
  const { formData } = useNavigation();
  const isPreviewing = formData?.get("press") === "preview";
  const isPending = formData !== undefined && !isPreviewing;
  return (
    <div className="sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-10 -mx-4 mt-6 border-t border-hairline bg-paper px-4 py-2 lg:bottom-0 lg:mx-0 lg:px-0">
      {children}
      <div
        className={`flex items-center justify-end gap-x-4 gap-y-1 ${hasPreview ? "max-sm:flex-wrap max-sm:[&>span]:basis-full" : ""}`}
      >
        <span role="status" className="text-[0.8125rem] text-muted empty:hidden">
          {status}
        </span>
        {hasPreview && (
          <Button look="line" name="press" value="preview" isPending={isPreviewing} className="max-lg:min-h-12">
            Preview
          </Button>
        )}
        <SaveButton
          label={label}
          isPending={isPending}
          isDisabled={isDisabled}
          className="max-lg:min-h-12 max-lg:flex-1 lg:min-w-40"
        />
      </div>
    </div>
  );
}
