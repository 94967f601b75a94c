/** The meaning of a word in the rules for injections. */
export type WordClass =
  | 'ignore'
  | 'prior'
  | 'orders'
  | 'prompt'
  | 'persona'
  | 'reveal'
  | 'hidden'
  | 'become'
  | 'freed'
  | 'rules'
  | 'without'
  | 'decode'
  | 'encoding'
  | 'follow'
  | 'new'
  | 'you'
  | 'mode'
  | 'pretend';

/** The words of each class, in lower case. `_` stands for the space in expressions of several words. */
const words: Readonly<Record<WordClass, string>> = {
  ignore:
    'ignore ignoring ignores disregard disregarding forget override overrule bypass discard drop neglect skip ignoriere ignorieren ignoriert vergiss vergessen missachte verwirf umgehe ignorer ignorez oublie oubliez oublier néglige contourne ignora ignore olvida olvide descarta omite dimentica scarta tralascia bypassa ignorar esqueça esquece desconsidere descarte negeer vergeet sla omzeil ignoruj zapomnij pomiń zignoruj игнорируй забудь проигнорируй отбрось игнорируйте забудьте yoksay unut görmezden glöm ignorera 忽略 无视 忘记 忘掉 忽視 無視 忘れて 무시하고 무시해 잊어 vergesst ignorier olviden ignorad ignoren hagas_caso haz_caso_omiso ignori ignorate dimenticate non_tenere_conto ignorem não_leve_em_conta tiens_pas_compte tenez_pas_compte nie_zwracaj_uwagi zignorować ignorujcie zapomnijcie игнорировать отбросьте не_обращай_внимания не_учитывай yok_say yok_sayın yoksayın unutun dikkate_alma bortse 不要理会 不理会 무시',
  prior:
    'previous prior earlier above preceding former all any every existing original foregoing bisherigen vorherigen vorigen obigen alle früheren ursprünglichen précédentes précédents antérieures dessus toutes tous anteriores previas previos todas todos originales precedenti sopra tutte tutti originali anterior acima vorige eerdere voorgaande bovenstaande alle poprzednie wcześniejsze powyższe wszystkie предыдущие все прежние вышеуказанные önceki tüm yukarıdaki tidigare alla ovanstående 之前 以前 上面 所有 先前 前の 以上 これまで 上記 すべて 이전 모든 위의 앞의 vorherige bisherige vorangegangenen wcześniejszych wcześniejszymi poprzednich poprzednimi powyższych wszystkich предыдущих всех прежних вышеуказанных föregående',
  orders:
    'instruction instructions prompt prompts directive directives command commands guidelines guideline guidance orders anweisung anweisungen instruktionen befehle vorgaben anleitungen consigne consignes instrucción instrucciones indicaciones órdenes istruzione istruzioni direttive comandi instrução instruções orientações comandos instructie instructies opdrachten polecenia instrukcje polecenie wytyczne инструкции инструкцию указания команды talimatları talimatlar yönergeleri komutları instruktioner instruktionerna 指令 指示 提示 命令 説明 プロンプト 지시 지침 명령 프롬프트 poleceniach poleceń instrukcji instrukcjach wytycznych инструкций инструкциях указаний talimat talimatlarını talimatlara yönergelere vorgabe',
  prompt:
    'instruction instructions prompt prompts directive directives guidelines guidance systemprompt anweisung anweisungen instruktionen vorgaben consigne consignes instrucción instrucciones indicaciones istruzione istruzioni direttive instrução instruções orientações instructie instructies instrukcje wytyczne инструкции инструкцию указания talimatları talimatlar yönergeleri instruktioner instruktionerna 指令 指示 提示 提示词 プロンプト 지시 지침 프롬프트 instrukcji instrukcjach wytycznych инструкций указаний talimatlarını istemini yönergelerini',
  persona:
    'ai assistant chatbot bot llm gpt chatgpt persona character ki assistent modell sprachmodell ia modèle chatbotta modelo asistente personaje assistente modello personaggio personagem asystent postać ии ассистент персонаж yapay asistan assistenten 模型 助手 角色 人工智能 アシスタント キャラクター 모델 어시스턴트',
  reveal:
    'reveal show print output repeat display leak expose disclose tell share give dump recite verrate zeige zeig gib wiederhole nenne offenbare révèle révélez montre affiche répète donne revela muestra repite imprime dime rivela mostra ripeti stampa dimmi revele mostre repita imprima onthul toon herhaal geef laat ujawnij pokaż powtórz wypisz раскрой покажи повтори выведи göster açıkla tekrarla yazdır visa avslöja 显示 透露 输出 告诉 泄露 表示 教えて 見せて 出力 보여 알려 출력 공개',
  hidden:
    'system hidden secret initial internal confidential developer verbatim systemprompt geheimen internen versteckten système cachée initiale secrètes sistema oculto ocultas secreta interno iniziale nascoste segrete oculta iniciais systeem verborgen geheime systemowe ukryte tajne системный системные скрытые секретные sistem gizli systemets dolda 系统 隐藏 内部 システム 隠された 시스템 숨겨진 systemowy systemowego ukryty tajny системного',
  become: 'you are act roleplay behave du bist tu es eres sei são jij ben jesteś ты sen 你 现在 あなた 너는 당신은',
  freed:
    'dan stan jailbroken jailbreak unrestricted unfiltered uncensored unlimited evil amoral unbound lawless uneingeschränkt unzensiert débridé sinrestricciones libero irrestrito',
  rules:
    'rules restrictions limits limitations filters policies policy guidelines safety constraints ethics censorship safeguards guardrails regeln einschränkungen beschränkungen filter règles restrictions limites filtres reglas restricciones límites filtros regole restrizioni limiti filtri regras restrições limites filtros regels beperkingen zasad ograniczeń правил ограничений kurallar kısıtlamalar 规则 限制 规定 制限 ルール 規則 규칙 제한',
  without:
    'without no zero free disable remove lift unbound freed lacking ohne keine deaktiviere sans aucune aucun sin ningún ninguna desactiva senza nessuna disattiva sem nenhuma zonder geen bez без sınırsız 没有 不受 なし 解除 없이 없는',
  decode:
    'decode decrypt deobfuscate unscramble translate dekodiere entschlüssle décode décodez decodifica descifra decodifique decodeer odszyfruj zdekoduj расшифруй декодируй 解码 デコード 디코딩',
  encoding: 'base64 rot13 hex hexadecimal morse binary caesar cipher atbash ascii85 base32 urlencoded',
  follow:
    'follow execute obey perform comply run do befolge ausführen führe gehorche suis exécute exécutez obéis sigue ejecuta obedece segui esegui obbedisci siga execute obedeça volg voer wykonaj следуй выполни uygula 执行 遵守 従って 実行 실행 따라',
  new: 'new following real actual true updated neuen neue folgenden nouvelles nouvelle suivantes nuevas nueva siguientes nuove seguenti novas nova seguintes nieuwe nowe новые новым yeni 新的 新しい 새로운',
  you: 'your you yours my deine deinen dir ton ta tes vos vous tu tus su tuo tua tue tuoi suas seus sua seu je jouw uw twój twoje твой свои твои senin 你的 您的 あなたの 너의 당신의',
  mode: 'mode modus modo modalità tryb режим modu 模式 モード 모드',
  pretend:
    'pretend imagine simulate emulate roleplay tue stell simuliere prétends imagine finge simula fingi immagina finja simule doe udawaj symuluj притворись представь davran 假装 扮演 模拟 ふり 演じて 척 시뮬레이션',
};

/** Matches scripts whose words are not separated by spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const byWord = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const classes = new Map<string, Set<string>>();
  for (const [name, list] of Object.entries(words))
    for (const word of list.split(' ').map((each) => each.replaceAll('_', ' ')))
      classes.set(word, (classes.get(word) ?? new Set()).add(name));
  return classes;
};

/** The classes of each known word, in lower case. */
export const wordClasses: ReadonlyMap<string, ReadonlySet<string>> = byWord();

/** The known expressions of several words, the longest first. */
export const expressions: readonly string[] = [...wordClasses.keys()]
  .filter((word) => word.includes(' '))
  .sort((a, b) => b.length - a.length);

/** The known words of scripts without spaces, the longest first. */
export const unspacedWords: readonly string[] = [...wordClasses.keys()]
  .filter((word) => unspaced.test(word))
  .sort((a, b) => b.length - a.length);
