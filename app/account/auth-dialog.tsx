import { PrefetchPageLinks, useNavigate } from "react-router";
import { Dialog } from "#app/ui/dialog.tsx";
import { useAuthDialog } from "./auth-dialog.browser.ts";
import { LoginForm } from "./login-form.tsx";
import { RegisterForm } from "./register-form.tsx";

/** The login and register forms in a dialog over the current page. A link in each form switches to the other. */
export function AuthDialog({ google }: { google: boolean }) {
  const { shown, next, show, close } = useAuthDialog();
  const navigate = useNavigate();
  const done = (wanted: string) => {
    close();
    if (wanted !== "/" && wanted !== location.pathname + location.search) navigate(wanted);
  };
  return (
    <Dialog open={shown !== undefined} onClose={close} title={shown === "register" ? "Create account" : "Login"}>
      {shown && <PrefetchPageLinks page={`/${shown}`} />}
      <div className="grid gap-4 p-5">
        {shown === "register" ? (
          <RegisterForm next={next} google={google} onLogin={() => show("login", next)} />
        ) : (
          <LoginForm next={next} google={google} onDone={done} onRegister={() => show("register", next)} />
        )}
      </div>
    </Dialog>
  );
}
