import type { apps as english } from "../en/apps.ts";
import { isolated } from "./arabic.ts";

export const apps: typeof english = {
  lead: "المساعدات والتطبيقات الأخرى التي يُسمح لها باستخدام هذا الحساب باسم شخص، بلا مفتاح API.",
  unnamed: "تطبيق بلا اسم",
  yours: "تطبيقاتك",
  others: "تطبيقات أشخاص آخرين",
  facts: {
    may: "يُسمح له",
    connected: "الربط",
    by: (name, email) => `بواسطة ${isolated(name)} (${isolated(email)})`,
    used: "آخر استخدام",
    neverUsed: "لم يُستخدم بعد",
  },
  unverified: "لم يتم التحقق منه",
  disconnect: "قطع الربط",
  dialog: {
    title: (app) => `هل تريد قطع ربط «${isolated(app)}»؟`,
    text: "يفقد الوصول فورًا على كل الأجهزة التي رُبط فيها بهذا الحساب. لاستخدامه مجددًا، اربطه من جديد.",
    textOfOther: (person) => `يستخدمه ${isolated(person)}. يفقد الوصول فورًا، ويجب ربطه من جديد.`,
    action: "قطع الربط",
    done: (app) => `تم قطع ربط «${isolated(app)}»`,
  },
  empty: {
    title: "لا يوجد تطبيق مرتبط",
    text: "اربط Claude أو Cursor أو ChatGPT أو مساعدًا آخر، واطلب منه تقصير الروابط أو الاطلاع على النقرات.",
    action: "ربط مساعد",
  },
  assistants: {
    title: "ربط مساعد",
    lead: "أعطه هذا العنوان. يفتح صفحة من هذه الخدمة، تختار فيها الحساب وما يُسمح للمساعد به.",
    address: "عنوان خادم MCP",
    local: "تعمل هذه الخدمة على حاسوبك: لا تصل إلى هذا العنوان إلا البرامج التي عليه، لا claude.ai ولا ChatGPT.",
    claudeCode: "Claude Code",
    claudeCodeText: "شغّل هذا في الطرفية. ثم أدخل ‎/mcp‎ في جلسة، واختر tern ثم «Authenticate».",
    claude: "claude.ai وClaude Desktop",
    claudeText: "«Customize» ثم «Connectors» ثم «Add custom connector»: أدخل الاسم Tern والعنوان. ثم «Connect».",
    chatGpt: "ChatGPT",
    chatGptText:
      "على الويب: «Settings» ثم «Apps» ثم «Advanced settings»: فعّل وضع المطورين. ثم «Create app» بالاسم Tern والعنوان وOAuth.",
    cursor: "Cursor",
    cursorAction: "إضافة إلى Cursor",
    vsCode: "VS Code",
    vsCodeAction: "إضافة إلى VS Code",
    opens: "يفتح هذا البرنامج على هذا الحاسوب، فيسأل هل يُسمح له بإضافة الخادم.",
    others: "غيرها",
    othersText: "حيث يطلب البرنامج خادمًا: وسيلة النقل Streamable HTTP والعنوان وOAuth بلا معرّف عميل ولا سر.",
  },
};
