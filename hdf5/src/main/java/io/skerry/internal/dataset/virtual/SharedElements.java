package io.skerry.internal.dataset.virtual;

import io.skerry.collective.share.SharedRead;
import io.skerry.collective.share.Sighting;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.virtual.element.DatasetElements;
import io.skerry.internal.dataset.virtual.element.ElementBuffer;
import io.skerry.internal.dataset.virtual.element.ElementConversions;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.PlacedPieces;
import io.skerry.internal.dataset.virtual.place.RepeatedPlaces;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.selection.Selection;
import io.skerry.value.StoredElements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads the elements that several ranks select in a virtual dataset, with the contents to which
 * they refer. Each rank opens the sources that it needs. A chunk that several ranks need is read by
 * one of them, which also reads the contents and sends them to the others; elements that are not in
 * chunks are read by each rank that needs them. The number of messages does not depend on the
 * number of sources.
 */
final class SharedElements {
  private final SharedRead read;
  private final VirtualElements elements;
  private final NativeDataset dataset;
  private final Map<String, Sighting> sightings = new LinkedHashMap<>();
  private final Map<String, WantedElements> wanted = new LinkedHashMap<>();

  /**
   * The elements that a mapping selects more than once in a virtual source. Outer virtual datasets
   * come first; their copies need the copies of inner ones.
   */
  private final List<RepeatedPlaces> repeated = new ArrayList<>();

  /**
   * Creates a reader.
   *
   * @param elements reads on this rank
   * @param dataset the virtual dataset
   */
  SharedElements(SharedRead read, VirtualElements elements, NativeDataset dataset) {
    this.read = read;
    this.elements = elements;
    this.dataset = dataset;
  }

  /**
   * Returns the selected elements; empty if this rank has failed. Elements without a source have
   * the fill value. Collective; the caller must have the ranks agree on whether any of them failed.
   */
  Optional<StoredElements> read(Supplier<Selection> selection) {
    return elements
        .sources()
        .guarded(() -> {
          Optional<ElementBuffer> buffer =
              read.alone(() -> ElementBuffer.of(dataset, selection.get().count(elements.shape())));
          WantedParts parts =
              read.attempt(
                  () -> elements.sources().named(() -> parts(selection.get(), elements)),
                  WantedParts.NONE);
          boolean[] elsewhere = read.elsewhere(parts.names());
          buffer.ifPresent(
              into -> read.attempt(() -> take(parts, elsewhere, ElementConversions.to(into))));
          read.readAnswers(List.copyOf(sightings.values()), List.copyOf(wanted.values()));
          return buffer.flatMap(into -> read.alone(() -> repeat(into, parts.wanted())));
        });
  }

  private static WantedParts parts(Selection selection, VirtualElements level) {
    return WantedParts.of(selection, level.parts(), _ -> true);
  }

  private StoredElements repeat(ElementBuffer buffer, Wanted selected) {
    repeated.reversed().forEach(buffer::repeat);
    buffer.repeat(selected);
    return buffer.elements();
  }

  /** Reads the parts whose sources no other rank needs; collects the chunks of the other parts. */
  private void take(WantedParts parts, boolean[] elsewhere, ElementConversions conversions) {
    Set<String> shared = parts.shared(elsewhere);
    for (WantedParts.Item item : parts.items()) {
      boolean unused =
          elements
              .sources()
              .named(() -> {
                take(item, shared, conversions);
                return true;
              });
    }
  }

  private void take(WantedParts.Item item, Set<String> shared, ElementConversions conversions) {
    String name = item.part().sourceName();
    if (shared.contains(name)) {
      SourceSearch search = SourceSearch.of(elements.sources(), item.part());
      Sighting.Presence found = collect(elements, item, search, conversions);
      sightings.putIfAbsent(name, new Sighting(name, found));
    } else {
      elements.part(item.part(), item.pieces(), conversions);
    }
  }

  /**
   * Collects the wanted chunks of a part; reads the elements that are not in chunks.
   *
   * @param level reads the virtual dataset of the part
   * @param search finds the source of the part
   * @param conversions the conversions of elements of the virtual dataset of the part
   */
  private Sighting.Presence collect(
      VirtualElements level,
      WantedParts.Item item,
      SourceSearch search,
      ElementConversions conversions) {
    Optional<NativeDataset> found = search.find();
    if (found.isEmpty()) {
      return Sighting.Presence.MISSING;
    }
    NativeDataset source = found.get();
    Selection from = item.part().source(source, level.shape());
    if (item.pieces().isEmpty()) {
      return Sighting.Presence.FOUND;
    }
    switch (source.opened()) {
      case Storage.Chunked(var chunks) ->
          wanted
              .computeIfAbsent(
                  WantedSource.key(source), _ -> new WantedElements(source, chunks, search))
              .add(item, from, conversions);
      case Storage.Virtual(MappedContent inner)
          when ElementTransfer.holdsAddresses(source.datatype()) -> {
        boolean unused =
            inner.guarded(() -> {
              Selection needed = Piece.needed(source.shape(), from, item.pieces());
              collect(source, inner.elementsOf(source.shape()), needed, item, search, conversions);
              return true;
            });
      }
      default -> level.part(item.part(), source, item.pieces(), conversions);
    }
    return Sighting.Presence.FOUND;
  }

  /** Collects the wanted chunks from the sources of a source that is itself virtual. */
  private void collect(
      NativeDataset source,
      VirtualElements reading,
      Selection needed,
      WantedParts.Item item,
      SourceSearch search,
      ElementConversions outward) {
    ElementConversions conversions = outward.from(DatasetElements.of(source));
    ElementBuffer buffer = conversions.target();
    PlacedPieces places = PlacedPieces.of(item.pieces());
    buffer.fill(
        places,
        conversions.convert(new StoredElements(source.fillElement(), source.file().contents())));
    WantedParts parts = parts(needed, reading);
    repeated.add(buffer.repeated(parts.wanted(), places));
    for (WantedParts.Item mapped : parts.items()) {
      Part part = mapped.part();
      Sighting.Presence unused =
          collect(
              reading,
              new WantedParts.Item(part, places.placed(mapped.pieces())),
              search.then(part),
              conversions);
    }
  }
}
