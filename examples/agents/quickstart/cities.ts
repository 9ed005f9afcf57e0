interface City {
  readonly name: string;
  readonly timeZone: string;
  /** Made up: a sample has no weather service. */
  readonly weather: string;
}

const CITIES: readonly City[] = [
  { name: 'Berlin', timeZone: 'Europe/Berlin', weather: 'overcast, 14 °C, a light wind from the west' },
  { name: 'London', timeZone: 'Europe/London', weather: 'light rain, 12 °C' },
  { name: 'Nairobi', timeZone: 'Africa/Nairobi', weather: 'sunny spells, 24 °C' },
  { name: 'New York', timeZone: 'America/New_York', weather: 'sunny, 25 °C' },
  { name: 'Paris', timeZone: 'Europe/Paris', weather: 'partly cloudy, 18 °C' },
  { name: 'São Paulo', timeZone: 'America/Sao_Paulo', weather: 'warm and humid, 27 °C' },
  { name: 'Sydney', timeZone: 'Australia/Sydney', weather: 'clear, 21 °C' },
  { name: 'Tokyo', timeZone: 'Asia/Tokyo', weather: 'clear, 19 °C' },
];

export function findCity(name: string): City | undefined {
  return CITIES.find((city) => plain(city.name) === plain(name));
}

export function knownCities(): string[] {
  return CITIES.map(({ name }) => name);
}

/** "Sao paulo" is "São Paulo". */
function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
}
