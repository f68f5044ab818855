import type { Language } from "../../redirect/pages/language.ts";

interface StopTexts {
  ask: { title: string; text: string; stop: string };
  stopped: { title: string; text: string };
  broken: { title: string; text: string };
}

/** The words of the page that stops a report, which persons open without a session, in the languages of visitors' pages. */
export const STOP_TEXTS: Record<Language, StopTexts> = {
  en: {
    ask: { title: "Stop this report?", text: "You will get no more of these mails.", stop: "Stop the report" },
    stopped: { title: "The report is stopped", text: "You get no more of these mails." },
    broken: { title: "This URL is not complete", text: "Copy it from the mail again." },
  },
  de: {
    ask: {
      title: "Diesen Bericht beenden?",
      text: "Sie bekommen dann keine weiteren dieser E-Mails.",
      stop: "Bericht beenden",
    },
    stopped: { title: "Der Bericht ist beendet", text: "Sie bekommen keine weiteren dieser E-Mails." },
    broken: { title: "Diese URL ist nicht vollständig", text: "Kopieren Sie sie noch einmal aus der E-Mail." },
  },
  es: {
    ask: {
      title: "¿Detener este informe?",
      text: "Ya no recibirá más correos de este tipo.",
      stop: "Detener el informe",
    },
    stopped: { title: "El informe se ha detenido", text: "Ya no recibirá más correos de este tipo." },
    broken: { title: "Esta URL no está completa", text: "Cópiela de nuevo del correo." },
  },
  fr: {
    ask: {
      title: "Arrêter ce rapport ?",
      text: "Vous ne recevrez plus ces e-mails.",
      stop: "Arrêter le rapport",
    },
    stopped: { title: "Le rapport est arrêté", text: "Vous ne recevez plus ces e-mails." },
    broken: { title: "Cette URL n’est pas complète", text: "Copiez-la de nouveau depuis l’e-mail." },
  },
  pt: {
    ask: {
      title: "Parar este relatório?",
      text: "Não receberá mais e-mails destes.",
      stop: "Parar o relatório",
    },
    stopped: { title: "O relatório parou", text: "Não receberá mais e-mails destes." },
    broken: { title: "Este URL não está completo", text: "Copie-o de novo do e-mail." },
  },
  it: {
    ask: {
      title: "Interrompere questo rapporto?",
      text: "Non riceverà più queste e-mail.",
      stop: "Interrompi il rapporto",
    },
    stopped: { title: "Il rapporto è interrotto", text: "Non riceverà più queste e-mail." },
    broken: { title: "Questo URL non è completo", text: "Lo copi di nuovo dall’e-mail." },
  },
  ja: {
    ask: {
      title: "このレポートを停止しますか？",
      text: "停止すると、このメールは届かなくなります。",
      stop: "レポートを停止",
    },
    stopped: { title: "レポートを停止しました", text: "このメールはもう届きません。" },
    broken: { title: "この URL は完全ではありません", text: "メールからもう一度コピーしてください。" },
  },
  ar: {
    ask: {
      title: "هل تريد إيقاف هذا التقرير؟",
      text: "لن تصلك رسائل أخرى من هذا النوع.",
      stop: "إيقاف التقرير",
    },
    stopped: { title: "تم إيقاف التقرير", text: "لن تصلك رسائل أخرى من هذا النوع." },
    broken: { title: "عنوان URL هذا غير مكتمل", text: "انسخه من الرسالة مرة أخرى." },
  },
};
