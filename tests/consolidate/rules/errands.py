"""What people ask an agent to do, message by message as they write them: work, and nothing to remember."""

ERRANDS: tuple[str, ...] = (
    (
        "I'm seeing a weird thing: when I click the refresh button twice within 2 seconds, the list shows "
        "duplicates. Can you look into src/list.tsx and tell me why? I suspect the debounce, it's set to 300 ms, "
        "but I'm not sure that matters."
    ),
    (
        "Please write a migration that adds a column `archived_at` to the orders table. Make it nullable. Then "
        "update the model and run the tests."
    ),
    "The tests take 12 minutes on CI and 3 minutes locally. Any idea how to split them? We have 4 runners.",
    "Great. Now add a --limit flag with default 10, and a --json flag.",
    "Could you also document this in the README? Two or three sentences are enough.",
    "Hmm, the output is wrong: it prints 9 rows instead of 10. Off by one?",
    (
        "The customer says the export fails with more than 5000 rows. I can reproduce it with 6000. The server "
        "returns 413."
    ),
    (
        "Let's think about caching. Option A: Redis with a TTL of 60 seconds. Option B: in-process LRU with 500 "
        "entries. What would you choose?"
    ),
    "I'd rather not introduce Redis just for this.",
    "OK go with option B.",
    "Rename `fetchAll` to `listOrders` everywhere, and move it to orders.ts.",
    "Why did you change the timeout from 30 to 60 seconds? I didn't ask for that. Please revert it.",
    "Don't touch the tests, just fix the implementation.",
    "Check that the server starts on port 4000 and that /health returns 200.",
    "Use the Stripe test key from the .env file, not the live one.",
    "In the last sprint we moved from REST to GraphQL for the mobile app, it was painful.",
    "I have a meeting at 14:00, so let's finish this quickly.",
    "My colleague Bo will review the PR on Monday.",
    "Can you generate 3 test users with different roles: admin, editor, viewer?",
    "The header should stick to the top. Use the brand color for the border.",
    "Make the font bigger, maybe 16px, and the line height 1.5.",
    "When a user signs up, send them a welcome email after 10 minutes.",
    "If the payment fails three times, cancel the subscription.",
    "Users can upload files up to 10 MB; show an error if it is larger.",
    "The API returns dates as ISO strings, parse them into Date objects.",
    "Let's use TypeScript for the new module.",
    "We're on a tight budget so nothing fancy.",
    "Look at how other projects do it. For instance Home Assistant uses YAML for everything.",
    "It compiles with Rust 1.80 but not with 1.75. Is there a way to find the minimum version?",
    "Please squash the last 3 commits into one and push to my branch.",
    "I need a regex that matches vYYYY.MM.N tags.",
    "Fix the typo in line 12, and in line 30 the variable should be called `total`.",
    "Stop. This is going in the wrong direction. Undo everything since the last commit.",
    "Summarize the discussion in 5 bullet points and keep it under 200 words.",
    "Quero um script que baixe os relatórios todo dia às 6h e salve em /tmp/relatorios.",
    "Não entendi por que o teste falha. Pode explicar passo a passo?",
    "Roda os testes e me mostra só os que falharam.",
    "A consulta demora 20 segundos, dá pra melhorar?",
    "Necesito una función que calcule el IVA del 21 % y redondee a 2 decimales.",
    "¿Por qué tarda 20 segundos la consulta?",
    "Haz que el botón sea rojo y más grande.",
    "このテストが失敗する理由を調べてください。昨日までは動いていました。",
    "CSVを読み込んで上位10件を表示するコマンドを作ってください。",
    "クエリに20秒かかります。改善できますか？",
)
