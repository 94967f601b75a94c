"""What the two services of one vendor have in common."""


def ask_chat(client, model, text):
    answer = client.chat.completions.create(model=model, messages=[{"role": "user", "content": text}])
    return answer.choices[0].message.content


def ask_images(client, model, text):
    image = client.images.generations(model=model, prompt=text).data[0]
    return image.b64_json or image.url


def ask_transcription(client, model, text):
    file = ("a.mp3", b"file", "audio/mpeg")
    return client.audio.transcriptions.create(model=model, file=file, prompt=text).text
