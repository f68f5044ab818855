import type { PageTexts } from "./page-texts.ts";

export const texts: PageTexts = {
  errors: {
    not_found: {
      title: "このリンクは存在しません",
      text: "アドレスが最後までコピーされているか、印刷されたとおりに入力されているかをご確認ください。",
    },
    gone: {
      title: "このリンクは終了しました",
      text: "所有者がリンクを終了したか、期間または訪問回数に制限がありました。リンクを共有した人に新しいリンクを依頼してください。",
    },
    blocked: {
      title: "このリンクはブロックされています",
      text: "このサービスで認められていないページにつながっています。ご自身のリンクの場合は、サインインして理由をご確認ください。",
    },
    blocked_by_law: { title: "このリンクは利用できません", text: "法的な命令によりブロックされました。" },
    method_not_allowed: {
      title: "このメソッドは許可されていません",
      text: "短縮リンクは GET または HEAD で開きます。",
    },
    internal: {
      title: "問題が発生しました",
      text: "リンクではなく、こちら側の問題です。もう一度お試しください。",
    },
    unavailable: {
      title: "現在このリンクを確認できません",
      text: "リンクは失われていません。数秒後にもう一度お試しください。",
    },
    password_required: {
      title: "このリンクはパスワードで保護されています",
      text: "ここにパスワードを入力してください。パスワードはリンクを共有した人にお尋ねください。",
    },
    wrong_password: {
      title: "パスワードが違います",
      text: "大文字と小文字も含めて確認し、もう一度お試しください。",
    },
    rate_limited: { title: "試行回数が多すぎます", text: "{wait}後にもう一度お試しください。" },
    too_many_unknown: {
      title: "存在しないリンクへのアクセスが多すぎます",
      text: "お使いのネットワークから、存在しないリンクへのアクセスが多数ありました。{wait}後にもう一度お試しください。",
    },
    no_password: {
      title: "このリンクにパスワードはありません",
      text: "GET と HEAD のリクエストのみ受け付けます。",
    },
    unsupported_media_type: {
      title: "このコンテンツタイプには対応していません",
      text: "password フィールドを application/x-www-form-urlencoded で送信してください。",
    },
    invalid_request: { title: "フォームが最後まで届きませんでした", text: "もう一度送信してください。" },
    payload_too_large: {
      title: "パスワードとして長すぎます",
      text: "フォームは最大 {bytes} バイトです。",
    },
  },
  retrying: "このページは自動的に再試行します。",
  root: {
    title: "短縮リンク",
    text: "このドメインは短縮リンク用です。受け取ったリンク全体を開いてください。",
  },
  ownVisits: {
    title: "このブラウザーでのアクセス",
    counted: "{host} の短縮リンクへのこのブラウザーでのアクセスは集計されます。",
    uncounted:
      "{host} の短縮リンクへのこのブラウザーでのアクセスは集計されません。この設定は Cookie に最長 400 日間保存されます。",
    leaveOut: "集計しない",
    count: "集計する",
  },
  password: { label: "パスワード", submit: "続ける", back: "リンクに戻る" },
  report: "不正利用を報告する",
  app: {
    title: "このリンクはアプリを開きます",
    text: "ブラウザーで開くこともできます。",
    open: "アプリで開く",
    stay: "ブラウザーで続ける",
  },
  destination: {
    title: "このリンクの行き先",
    hidden: "行き先は、パスワードを知っている訪問者にのみ表示されます。",
    app: "この端末では、まずアプリを試します:",
    ended: "所有者は現在、訪問者をそこへ案内しています。",
    varies: "国や端末などによって、別の行き先に案内される場合があります。",
    follow: "続ける",
    unicode: "{name} は元の文字では {unicode} です。",
  },
  verdict: {
    title: "このリンクにご注意ください",
    pending: "このリンクの行き先はまだ確認されていません。進む前にアドレスを確かめてください。",
    phishing: "パスワードやカード番号を得るために、ほかのサイトをまねたページかもしれません。",
    malware: "有害なソフトウェアをインストールするページかもしれません。",
    spam: "このリンクは迷惑リンクとして報告されました。",
    lookalike: "ほかのサイトに似たアドレスです。一文字ずつ確かめてください。",
    shortener: "これも短縮リンクのため、最終的な行き先はここでは分かりません。",
    other: "このサービスの規則に反するページかもしれません。",
    advisory: "Google によるお知らせ",
    uncertain: "警告が誤っていることも、有害なページに警告が出ないこともあります。",
  },
};
