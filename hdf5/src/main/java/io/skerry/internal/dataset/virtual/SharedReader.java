package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.share.SharedRead;
import io.skerry.collective.share.Sighting;
import io.skerry.internal.dataset.Elements;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.PlacedPieces;
import io.skerry.internal.dataset.virtual.place.RepeatedPlaces;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads the elements that several ranks select in a virtual dataset. Each rank opens the sources
 * that it needs. A chunk that several ranks need is read by one of them; a source that only one
 * rank needs, and elements that are not in chunks, are read by each rank that needs them. The
 * number of messages does not depend on the number of sources.
 */
final class SharedReader {
  private final SharedRead read;
  private final VirtualReader reader;
  private final TypedMemory target;
  private final Map<String, Sighting> sightings = new LinkedHashMap<>();
  private final Map<String, WantedChunks> wanted = new LinkedHashMap<>();

  /**
   * The elements that a mapping selects more than once in a virtual source. Outer virtual datasets
   * come first; their copies need the copies of inner ones.
   */
  private final List<RepeatedPlaces> repeated = new ArrayList<>();

  /**
   * Creates a reader.
   *
   * @param reader reads on this rank
   * @param target the buffer, with one value for each selected element, in selection order
   */
  SharedReader(SharedRead read, VirtualReader reader, TypedMemory target) {
    this.read = read;
    this.reader = reader;
    this.target = target;
  }

  /**
   * Reads the selected elements that have a source; the other elements keep their values in the
   * buffer. Collective; the caller must have the ranks agree on whether any of them failed.
   */
  void read(Supplier<Selection> selection) {
    boolean unused =
        reader
            .sources()
            .guarded(() -> {
              WantedParts parts =
                  read.attempt(
                      () ->
                          reader
                              .sources()
                              .named(() ->
                                  WantedParts.of(
                                      selection.get(), reader.parts(), reader::replaces)),
                      WantedParts.NONE);
              boolean[] elsewhere = read.elsewhere(parts.names());
              boolean unusedToo =
                  read.attempt(
                      () -> reader.sources().named(() -> take(parts, elsewhere)), Boolean.FALSE);
              read.read(List.copyOf(sightings.values()), List.copyOf(wanted.values()));
              read.attempt(() -> repeat(parts.wanted()));
              return true;
            });
  }

  private void repeat(Wanted wanted) {
    repeated.reversed().forEach(places -> places.copy(target.values()));
    reader.repeat(wanted, target);
  }

  /** Reads the parts whose sources no other rank needs; collects the chunks of the other parts. */
  private boolean take(WantedParts parts, boolean[] elsewhere) {
    Set<String> shared = parts.shared(elsewhere);
    for (WantedParts.Item item : parts.items()) {
      String name = item.part().sourceName();
      if (shared.contains(name)) {
        SourceSearch search = SourceSearch.of(reader.sources(), item.part());
        Sighting.Presence found = collect(reader, item, search);
        sightings.putIfAbsent(name, new Sighting(name, found));
      } else {
        reader.part(item.part(), item.pieces(), target.values());
      }
    }
    return true;
  }

  /**
   * Collects the wanted chunks of a part; reads the elements that are not in chunks.
   *
   * @param level reads the virtual dataset of the part
   * @param search finds the source of the part
   */
  private Sighting.Presence collect(
      VirtualReader level, WantedParts.Item item, SourceSearch search) {
    Optional<NativeDataset> found = search.find();
    if (found.isEmpty()) {
      return Sighting.Presence.MISSING;
    }
    NativeDataset source = found.get();
    Part part = item.part();
    Selection from = part.source(source, level.shape());
    if (Elements.leadOutside(level.type())) {
      level.part(part, source, item.pieces(), target.values());
    } else if (!item.pieces().isEmpty()) {
      switch (source.opened()) {
        case Storage.Chunked(var chunks) when source.packing().isEmpty() ->
            wanted
                .computeIfAbsent(
                    WantedSource.key(source),
                    _ -> new WantedChunks(source, chunks, search, target.values()))
                .add(level, item, from);
        case Storage.Virtual(MappedContent inner) -> {
          var unused = inner.guarded(() -> collect(level, item, source, inner, search));
        }
        default -> level.part(part, source, item.pieces(), target.values());
      }
    }
    return Sighting.Presence.FOUND;
  }

  /** Collects the wanted chunks from the sources of a source that is itself virtual. */
  private boolean collect(
      VirtualReader level,
      WantedParts.Item item,
      NativeDataset source,
      MappedContent inner,
      SourceSearch search) {
    VirtualReader reading = inner.reader(source.shape(), level.type());
    Selection from = item.part().source(source, level.shape());
    Selection needed = Piece.needed(source.shape(), from, item.pieces());
    WantedParts parts = WantedParts.of(needed, reading.parts(), reading::replaces);
    if (parts.order() == WantedParts.Order.FIXED) {
      level.part(item.part(), source, item.pieces(), target.values());
      return true;
    }
    PlacedPieces places = PlacedPieces.of(item.pieces());
    Conversion conversion = Conversion.between(source.datatype(), level.type(), source.path());
    places.fill(source.fillElement(), conversion, target.values());
    repeated.add(new RepeatedPlaces(parts.wanted(), places, conversion));
    for (WantedParts.Item mapped : parts.items()) {
      Part part = mapped.part();
      Sighting.Presence unused =
          collect(
              reading,
              new WantedParts.Item(part, places.placed(mapped.pieces())),
              search.then(part));
    }
    return true;
  }
}
