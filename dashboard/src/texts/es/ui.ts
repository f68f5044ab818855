import type { ui as english } from "../en/ui.ts";

export const ui: typeof english = {
  cancel: "Cancelar",
  close: "Cerrar",
  copied: "Copiado",
  copy: "Copiar",
  copyRefused: "El navegador no permitió copiar. Selecciona el texto y pulsa Ctrl+C.",
  hidePassword: "Ocultar la contraseña",
  loading: "Cargando",
  notDownloaded: "El archivo no se descargó",
  notifications: "Notificaciones",
  reload: "Recargar la página",
  remove: (name) => `Quitar ${name}`,
  retry: "Reintentar",
  save: "Guardar",
  showPassword: "Mostrar la contraseña",
  undo: "Deshacer",
};
