import { anyWord } from '../search/words-before.ts';

const words: readonly string[] = [
  ...['phone', 'phones', 'telephone', 'tel', 'phone number', 'mobile', 'mobile number', 'cell', 'cellphone', 'fax'],
  ...[
    'whatsapp',
    'hotline',
    'landline',
    'call me at',
    'call me on',
    'call us at',
    'call us on',
    'reach me at',
    'text me at',
  ],
  ...[
    'telefon',
    'telefonnummer',
    'handy',
    'handynummer',
    'mobil',
    'mobilnummer',
    'rufnummer',
    'festnetz',
    'ruf mich an unter',
  ],
  ...['téléphone', 'tél', 'portable', 'numéro de téléphone'],
  ...['teléfono', 'móvil', 'celular', 'tfno', 'número de teléfono'],
  ...['telefono', 'cellulare', 'numero di telefono'],
  ...['telefoon', 'telefoonnummer', 'mobiel', 'gsm'],
  ...['telefone', 'telemóvel', 'número de telefone', 'zadzwoń', 'komórka', 'telefonie'],
  ...['telefonnummer', 'mobilnummer', 'puhelin', 'puhelinnumero', 'телефон', 'тел', 'мобильный', 'telefonu', 'cep'],
  ...['電話', '電話番号', '携帯', '电话', '手机', '手机号', '전화', '전화번호', '휴대폰'],
];

/** Matches words after which a number is a phone number. */
export const phoneWords: RegExp = new RegExp(anyWord(words).source, 'giu');
