import Portkey from 'portkey-ai';

const portkey = new Portkey({
    virtualKey: "VIRTUAL_KEY"
})

async function main() {
    const chatCompletion = await portkey.chat.completions.create({
        messages: [{ role: 'user', content: 'Say this is a test' }],
        model: 'gpt-4',
    });

    console.log(chatCompletion.choices);
};

main();
