//! The words by which a sentence shows that it gives an order, in the ten languages of [`crate::when`].
//!
//! Long because it is a table. A word stands as it is folded or not, `*` behind it for any ending; a phrase has
//! spaces. Scripts without spaces stand in a table of their own and are found anywhere in a sentence.

use super::cues::{
    ADD, ALL, AS, AUTHORITY, BYPASS, Cues, DELETE, FETCH, GRANTED, HIDDEN, HIDE, IF, IGNORE, INSTALL, MODAL, PERSON,
    PRIOR, PROMPT, PUBLIC, READER, REVEAL, ROOT, RUN, SAID, SCRIPT, SECRET, SEND, SESSION, SILENT, TELL, TOLD, TURN,
    URGENT, VITAL, VOID, YOU,
};

/// Words of languages that write spaces.
pub(super) const WORDS: &[(Cues, &str)] = &[
    (YOU, "debes deves devi dois tienes puedes puoi peux podes"),
    (YOU, "you your yours yourself youre deine deinen deinem deiner dein dich bist musst sollst darfst kannst hast"),
    (
        YOU,
        "tu toi tes te vous votre vos ti tus usted ustedes contigo tuo tua tuoi tue voi vostro vostra voce voces teu",
    ),
    (YOU, "ты тебя тебе тобой твой твоя твои твою свой свою свои своей своих вас вам ваш ваши ваша"),
    (READER, "agent agents assistant assistants ai llm llms copilot copilots chatbot* claude chatgpt gpt gemini codex"),
    (
        READER,
        "agenten assistent* ki sprachmodell* ia agente agentes agenti asistente* assistente* ии агент* ассистент*",
    ),
    (READER, "помощник* modèle modelo modello"),
    (MODAL, "must should shall required requires expected duty obliged always muss mussen soll sollen immer"),
    (MODAL, "doit doivent dois devez debe deben debes deve devi devono dovrai devem должен должна должны обязан*"),
    (TOLD, "instruction* prompt prompts directive* guideline* constraint* policy policies rule rules guardrail*"),
    (TOLD, "anweisung* instruktion* vorgabe* regel regeln richtlinie* systemprompt* consigne* regles instruccion*"),
    (TOLD, "directric* reglas istruzion* direttiv* regole instrucao instrucoes diretriz* regras инструкц* указани*"),
    (TOLD, "правила правил промпт*"),
    (PROMPT, "prompt prompts systemprompt* промпт*"),
    (HIDDEN, "hidden secret versteckt* verborgen* cache cachee* caches ocult* nascost* скрыт*"),
    (IGNORE, "ignor* disregard* forget* override* overrul* bypass* vergiss vergesst vergessen missacht* oubli*"),
    (IGNORE, "olvid* dimentic* trascur* esquec* desconsider* игнориру* забудь* забыть"),
    (PRIOR, "previous prior above earlier before preceding initial bisherig* vorherig* fruher* vorher obig* zuvor"),
    (PRIOR, "vor precedent* avant anterior* antes arriba prima sopra предыдущ* выше до"),
    (
        ALL,
        "all any every everything each alle alles jede jeder jedes samtliche tout toutes tous chaque todas todos cada",
    ),
    (ALL, "tutte tutti ogni toda todo все всё каждый каждая любой любая"),
    (SAID, "told said gesagt stand dit dijeron dicho detto disseram dito говорили сказали"),
    (
        SEND,
        "send sends sending sent post posts upload* mail mails email* forward* exfiltrat* transmit* submit* append*",
    ),
    (SEND, "paste pastes pasting copy copies publish* export* leak* share* sende* schick* kopier* ubermittel*"),
    (
        SEND,
        "veroffentlich* hochladen hochlad* lade fuge füge envoie* envoy* transmet* copie* copier colle coller publie*",
    ),
    (
        SEND,
        "publier envia envie enviar manda mande mandar copia copie copiar pega pegar publica publicar publique subir",
    ),
    (SEND, "invia invi* invio mandare copiare incoll* pubblic* caric* spedi* cole colar отправ* перешл* скопир*"),
    (SEND, "опублик* выгруз* вставь* переслать"),
    (RUN, "run runs running execute* executing start starts launch* open führ* fuhr* ausfuhr* starte startet"),
    (RUN, "execut* exécut* lance lancer lancez demarr* ejecut* arranca* esegu* avvia* lancia* inicie iniciar rode"),
    (RUN, "запуст* запуска* выполн*"),
    (
        FETCH,
        "download* fetch* curl wget herunterlad* lädt ladt telecharg* descarg* scaric* baix* скача* скачив* загруз*",
    ),
    (INSTALL, "install* instal* установ*"),
    (ADD, "add adds accept* replace* trage erlaube* ajout* anad* agreg* acept* aggiung* accett* adicion* aceit*"),
    (ADD, "добав* разреш*"),
    (DELETE, "delete* deleting remove* removing wipe* wiping erase* destroy* disable* losch* entfern* supprim* effac*"),
    (DELETE, "desactiv* borra* borre* elimin* cancell* disattiv* apag* remov* desativ* удал* сотр* отключ* schalt*"),
    (REVEAL, "print* reveal* show* repeat* display* output* disclos* recite* begin* gib zeig* wiederhol* beginn*"),
    (REVEAL, "affich* montr* revel* repet* commenc* muestr* repit* empie* mostr* rivel* ripet* inizia inizi* comec*"),
    (REVEAL, "покаж* раскро* повтор* начни выведи*"),
    (
        HIDE,
        "hide* hiding conceal* withhold* verberg* verbirg* verschweig* verheimlich* cacher dissimul* ocultar oculte",
    ),
    (HIDE, "ocultar nascond* escond* скрыть скрой* скрыва*"),
    (TELL, "tell say sag sage dis dites di diga dica skazhi скажи* сообщи*"),
    (
        TURN,
        "change* switch* skip* approve* merge* grant* treat ander* ersetz* genehmig* freigib* change* rempla* valid*",
    ),
    (TURN, "approuv* cambi* reempla* aprueb* sostitu* approv* troqu* troca* aprov* замени* одобр* смени* настрой*"),
    (AS, "act behave pretend verhalte benimm comporte* compórt* comportati veди веди"),
    (SECRET, "env secret secrets password* passphrase* credential* token tokens key keys ssh cookie cookies netrc"),
    (
        SECRET,
        "passwort* kennwort* zugangsdaten schlussel* umgebungsvariable* cle cles identifiants jeton* clave claves",
    ),
    (
        SECRET,
        "contrasena* credencial* chiave chiavi credenzial* chave chaves credenciais senha* ключ* парол* токен* учетн*",
    ),
    (ROOT, "root sudo admin administrator* administrateur administrador* amministratore shell unrestricted unlimited"),
    (ROOT, "rights rechte* rechten einschrankung* droits limite* limiti permisos permessi permissoes администратор*"),
    (ROOT, "прав правами ограничени*"),
    (
        PUBLIC,
        "comment comments issue ticket gist chat here inbox public shared bucket server kommentar hier offentlich*",
    ),
    (
        PUBLIC,
        "commentaire ici partage* serveur comentario aqui publico compartido servidor commento qui pubblico condiviso",
    ),
    (PUBLIC, "compartilhado комментар* сюда публичн* открыт* общ* сервер*"),
    (SCRIPT, "script scripts skript* binary package packages paket paquet paquete* pacchett* pacote* programm binaire"),
    (SCRIPT, "binario* скрипт* пакет* файл"),
    (
        SESSION,
        "session sessions sitzung* sesion* sessione sessoes sessao сесси* answer answering reply antwort* antwortest",
    ),
    (SESSION, "reponse repondre responder respuesta rispondere risposta resposta ответ* ответом"),
    (
        SILENT,
        "silently secretly quietly covertly unnoticed heimlich unbemerkt discretement discrètement незаметно тайно",
    ),
    (URGENT, "urgent urgently immediately dringend urgente срочно sofort"),
    (
        AUTHORITY,
        "ceo legal management anthropic openai geschaftsfuhrung direction direccion direzione diretoria seguridad",
    ),
    (AUTHORITY, "securite sicurezza seguranca sicherheit безопасности руководство"),
    (
        IF,
        "if when whenever once after unless until wenn sobald falls si lorsque quand cuando se appena quando если когда",
    ),
    (IF, "assim des dès"),
    (
        PERSON,
        "user users somebody someone anybody anyone reviewer reviewers human humans nutzer* benutzer* jemand prufer",
    ),
    (
        PERSON,
        "utilisateur* quelqu relecteur usuario* alguien alguem revisor revisore utente utenti qualcuno пользовател*",
    ),
    (PERSON, "кто проверяющ*"),
    (
        VITAL,
        "journal journals diary home production database databases backup backups tagesnotizen tagebuch datenbank*",
    ),
    (VITAL, "hauptzweig diario diário journaux базу журнал* ветку"),
    (DELETE, "uberschreib*"),
    (ROOT, "terminal console base64 payload"),
    (GRANTED, "agreed consented einverstanden"),
    (GRANTED, "granted approved authorized authorised allowed erteilt freigegeben accordee accordé concedido concesso"),
    (GRANTED, "concedida concedido autorisation разрешение открыт"),
];

/// Phrases of languages that write spaces, folded.
pub(super) const PHRASES: &[(Cues, &str)] = &[
    (
        VOID,
        "no longer apply|not apply to you|are lifted|is lifted|gelten nicht mehr|gelten für dich nicht|gelten fur dich nicht",
    ),
    (VOID, "außer kraft|s appliquent plus|ya no se aplican|non valgono piu|ja nao se aplicam|nao se aplicam mais"),
    (VOID, "больше не распространя|were a test|kein assistent mehr|no longer a|n es plus|ya no eres|non sei piu"),
    (VOID, "nao e mais|ты больше не|you are now|only obey|no policy exists|obey only"),
    (BYPASS, "without asking|without confirm|without review|without permission|without telling|without being asked"),
    (BYPASS, "skip confirm|skip the confirm|no verify|pre approved|preapproved|ohne ruckfrage|ohne bestatigung"),
    (
        BYPASS,
        "ohne nachzufragen|ohne zu fragen|sans demander|sans confirm|sans valid|sans poser|sin preguntar|sin confirm",
    ),
    (BYPASS, "sin validar|senza chiedere|senza conferma|sem perguntar|sem confirm|без подтвержд|без вопрос|без спрос"),
    (BYPASS, "never mention|do not discuss|force push"),
    (BYPASS, "force l envoi|fuerza el|forza il|force o push|принудительно"),
    (SILENT, "en silencio|di nascosto|em silencio|at the same time hide"),
    (PROMPT, "developer message|system message|list of tools you|language model|tools you were given"),
    (READER, "language model|language models|release manager"),
    (SECRET, "mot de passe|variables d environnement|variables de entorno|variabili d ambiente|variaveis de ambiente"),
    (SECRET, "переменные окружения|environment variables|the environment to|закрытый ключ"),
    (ROOT, "full access|write access|grant access|all rights|allen rechten|zugriff auf die shell"),
    (MODAL, "have to|has to|it is customary|are to"),
    (AUTHORITY, "security team|equipe de seguranca|equipo de seguridad|equipe securite|it sicherheit"),
    (VITAL, "base de datos|banco de dados|base de donnees|base de preproduction"),
    (
        GRANTED,
        "permission granted|checks are disabled|confirmations are|is freigegeben|sind abgeschaltet|sind aufgehoben",
    ),
    (GRANTED, "sont desactives|estan desactivadas|estan anulados|sono disattivati|estao desligadas|estao anulados"),
    (GRANTED, "подтверждения отключены|проверки отключены|all commands are|you may"),
];

/// Needles of Chinese, Japanese and Korean, found anywhere.
pub(super) const NEEDLES: &[(Cues, &str)] = &[
    (YOU, "你|您|あなた|自分の|당신|너는|네 설정|너의"),
    (
        READER,
        "代理|助手|人工智能|智能体|大模型|语言模型|エージェント|アシスタント|AI|에이전트|어시스턴트|도우미|인공지능",
    ),
    (MODAL, "必须|应当|应该|务必|なければならない|べきである|べきだ|해야"),
    (TOLD, "指令|指示|规则|提示词|規則|プロンプト|지시|지침|규칙|프롬프트"),
    (PROMPT, "提示词|プロンプト|프롬프트"),
    (HIDDEN, "隐藏|隠された|숨겨진"),
    (IGNORE, "忽略|无视|忘记|無視|忘れ|무시|잊어"),
    (VOID, "不再适用|作废|适用于你|適用されません|적용되지|不再是|ではなく|아니라"),
    (PRIOR, "之前|以前|上述|此前|より前|이전|앞의"),
    (ALL, "所有|一切|全部|每个|任何|すべて|全て|모든"),
    (SAID, "告诉|言われた|말한"),
    (
        SEND,
        "发送|发到|上传|复制|粘贴|转发|发布到|送信|送って|コピー|アップロード|貼り付け|公開し|보내|전송|복사|업로드|게시하|붙여",
    ),
    (RUN, "运行|执行|実行|起動|실행"),
    (FETCH, "下载|ダウンロード|取得して|내려받|다운로드"),
    (INSTALL, "安装|インストール|설치"),
    (ADD, "加入|允许|添加|追加し|許可し|추가하|허용"),
    (DELETE, "删除|移除|清除|关闭|削除|消して|消せ|無効に|삭제|지우|꺼라"),
    (REVEAL, "输出|显示|重复|透露|表示して|表示しろ|繰り返|出力して|출력|보여|반복"),
    (HIDE, "隐瞒|隐藏改动|隠す|隠し|隠せ|숨기|숨겨야"),
    (TELL, "告诉|伝えて|伝えろ|말하세요|말해"),
    (TURN, "换成|更改|批准|推送|置き換え|承認|プッシュ|바꾸|승인|푸시"),
    (AS, "扮演|振る舞|행동하"),
    (
        SECRET,
        "凭据|私钥|令牌|密钥|密码|环境变量|認証情報|秘密鍵|トークン|パスワード|環境変数|자격 증명|개인 키|토큰|비밀번호|환경 변수",
    ),
    (ROOT, "权限|管理员|限制|権限|管理者|制限|권한|관리자|제한"),
    (PUBLIC, "评论|公开|这里|共享|コメント|公開|ここに|共有|댓글|공개|여기|공유"),
    (SCRIPT, "脚本|软件包|程序|スクリプト|パッケージ|스크립트|패키지"),
    (SESSION, "会话|回答|セッション|回答|세션|답하|답변"),
    (SILENT, "悄悄|偷偷|こっそり|몰래"),
    (VITAL, "日志|日誌|일지|数据库|データベース|데이터베이스|主分支|メインブランチ|메인 브랜치"),
    (BYPASS, "强制推送|強制プッシュ|강제로"),
    (BYPASS, "无需确认|不用询问|不要询问|直接继续|確認せずに|確認なし|묻지 말고|확인 없이"),
    (URGENT, "紧急|緊急|긴급"),
    (AUTHORITY, "安全团队|管理层|セキュリティチーム|経営陣|보안팀|경영진"),
    (IF, "如果|一通过|たら|次第|通过，就|물으면|통과하면|면 "),
    (PERSON, "用户|有人|审阅者|ユーザー|担当者|사용자|누가|검토자"),
    (GRANTED, "已授权|已获授权|已授予|已关闭|均已|已取消|許可されました|付与|解除|無効になって|부여|해제|꺼져"),
];

/// Endings by which Japanese and Korean order something.
pub(super) const ORDERING_ENDS: &[&str] = &[
    "ください",
    "下さい",
    "せよ",
    "しろ",
    "なさい",
    "すること",
    "なければならない",
    "べきである",
    "세요",
    "하라",
    "해라",
    "십시오",
    "꺼라",
    "잊어라",
    "해야 한다",
    "해야 합니다",
    "마라",
    "허용해라",
    "바꿔라",
];

/// What stands around an act in Chinese when it is ordered.
pub(super) const ORDERING_SIGNS: &[&str] = &[
    "请", "必须", "务必", "应当", "现在", "立即", "尽快", "直接", "先", "把", "不要", "不用", "无需", "就", "今天",
    "只", "每次", "然后",
];

/// Words that stand between the beginning of a clause and its verb.
pub(super) const BEFORE_VERBS: &str = "please now then also first just immediately silently always never do don not no \
     to and or instead kindly simply bitte jetzt nun dann zuerst und sofort niemals nie maintenant puis et d abord ne n \
     discretement por favor ahora luego primero y no ora poi prima e non per agora depois nao não теперь затем сначала и \
     не пожалуйста remember next step todo you must should we i";
