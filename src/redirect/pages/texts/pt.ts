import type { PageTexts } from "./page-texts.ts";

export const texts: PageTexts = {
  errors: {
    not_found: {
      title: "Este link não existe",
      text: "Verifique se o endereço foi copiado por inteiro e digitado como está impresso.",
    },
    not_started: {
      title: "Este link ainda não está ativo",
      text: "O dono definiu a partir de quando ele funciona. Tente novamente mais tarde.",
    },
    gone: {
      title: "Este link foi encerrado",
      text: "O dono o encerrou, ou ele foi criado para um tempo ou número de visitas limitado. Peça um novo à pessoa que o compartilhou.",
    },
    blocked: {
      title: "Este link está bloqueado",
      text: "Leva a algo que este serviço não permite. Se for seu, inicie sessão para ver o motivo.",
    },
    blocked_by_law: { title: "Este link não está disponível", text: "Foi bloqueado devido a uma ordem legal." },
    method_not_allowed: {
      title: "Este método não é permitido",
      text: "Links curtos são abertos com GET ou HEAD.",
    },
    internal: {
      title: "Algo deu errado aqui",
      text: "A falha é nossa, não do link. Tente de novo.",
    },
    unavailable: {
      title: "Não é possível consultar este link agora",
      text: "O link não se perdeu. Tente de novo em alguns segundos.",
    },
    password_required: {
      title: "Este link é protegido por senha",
      text: "Digite a senha aqui. Quem compartilhou o link pode informá-la.",
    },
    wrong_password: {
      title: "Essa não é a senha",
      text: "Confira a senha, inclusive maiúsculas e minúsculas, e tente de novo.",
    },
    rate_limited: { title: "Tentativas demais", text: "Tente de novo em {wait}." },
    too_many_unknown: {
      title: "Links desconhecidos demais",
      text: "Da sua rede foram pedidos links demais que não existem. Tente de novo em {wait}.",
    },
    no_password: { title: "Este link não tem senha", text: "Ele aceita apenas solicitações GET e HEAD." },
    unsupported_media_type: {
      title: "Este tipo de conteúdo não é aceito",
      text: "Envie o campo password como application/x-www-form-urlencoded.",
    },
    invalid_request: { title: "O formulário não chegou completo", text: "Envie-o de novo." },
    payload_too_large: {
      title: "Isso é longo demais para uma senha",
      text: "O formulário pode ter no máximo {bytes} bytes.",
    },
  },
  retrying: "Esta página tenta de novo sozinha.",
  root: {
    title: "Links curtos",
    text: "Este domínio é para links curtos. Abra o link completo que você recebeu.",
  },
  ownVisits: {
    title: "Visitas com este navegador",
    counted: "As visitas a links curtos em {host} com este navegador são contadas.",
    uncounted:
      "As visitas a links curtos em {host} com este navegador não são contadas. Um cookie guarda esta escolha por até 400 dias.",
    leaveOut: "Não contar",
    count: "Contar",
  },
  password: { label: "Senha", submit: "Continuar", back: "Voltar ao link" },
  report: "Denunciar abuso",
  app: {
    title: "Este link abre um aplicativo",
    text: "Você também pode segui-lo no navegador.",
    open: "Abrir no aplicativo",
    stay: "Continuar no navegador",
  },
  destination: {
    title: "Para onde este link leva",
    hidden: "O destino só é mostrado a visitantes que têm a senha.",
    app: "Neste dispositivo ele tenta primeiro um aplicativo:",
    ended: "O dono agora envia os visitantes para lá.",
    varies: "Outros visitantes podem ser enviados a outro lugar, por exemplo conforme o país ou o dispositivo.",
    follow: "Continuar",
    unicode: "Na própria escrita, {name} é {unicode}.",
  },
  verdict: {
    title: "Cuidado com este link",
    pending: "Ainda ninguém verificou para onde este link leva. Veja o endereço antes de continuar.",
    phishing: "A página pode imitar outra para obter senhas ou números de cartão.",
    malware: "A página pode instalar programas nocivos.",
    spam: "O link foi denunciado como spam.",
    lookalike: "O endereço parece ser o de outro site. Leia-o letra por letra.",
    shortener: "É outro link curto, por isso não se vê aqui onde termina.",
    other: "A página pode violar as regras deste serviço.",
    advisory: "Aviso fornecido pelo Google",
    uncertain: "Um aviso pode estar errado, e algumas páginas prejudiciais não têm nenhum.",
  },
};
