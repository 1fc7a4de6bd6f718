import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { Notice } from "../frame/notice.tsx";

/**
 * The notice that a customer was forgotten. Its parameter is removed from the URL, so that going back shows no notice.
 */
export function ForgottenNotice() {
  const [params, setParams] = useSearchParams();
  const isMarked = params.has("forgotten");
  const [isShown] = useState(isMarked);
  useEffect(() => {
    if (isMarked) setParams({}, { replace: true, preventScrollReset: true });
  }, [isMarked, setParams]);
  if (!isShown) return null;
  return (
    <Notice kind="done">
      The customer’s data is deleted. Earlier backups still contain everything, and the payment provider keeps its own
      records.
    </Notice>
  );
}
