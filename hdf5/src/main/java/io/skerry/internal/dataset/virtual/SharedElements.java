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
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.selection.Selection;
import io.skerry.value.StoredElements;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the elements that each rank selects in a virtual dataset, with the heap objects
 * (variable-length content and the data of references) and the paths of the HDF5 objects to which
 * they refer. {@link SharedSources} describes how the ranks divide the reads. The rank that reads a
 * chunk also reads these heap objects and paths, and sends them to the other ranks.
 */
final class SharedElements {
  private final SharedRead read;
  private final VirtualElements elements;
  private final NativeDataset dataset;
  private final SharedSources<WantedElements> shared;

  /**
   * Creates a reader.
   *
   * @param elements the reader of this rank
   * @param dataset the virtual dataset
   */
  SharedElements(SharedRead read, VirtualElements elements, NativeDataset dataset) {
    this.read = read;
    this.elements = elements;
    this.dataset = dataset;
    this.shared = new SharedSources<>(elements.sources());
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
          Wanted wanted =
              shared.collect(
                  read,
                  () -> parts(selection.get(), elements),
                  // A rank without a buffer has failed, in which case no rank calls this supplier.
                  () -> level(buffer.orElseThrow()));
          read.readAnswers(shared.sightings(), shared.wanted());
          return buffer.flatMap(into -> read.alone(() -> repeat(into, wanted)));
        });
  }

  private static WantedParts parts(Selection selection, VirtualElements level) {
    return WantedParts.of(selection, level.parts(), _ -> true);
  }

  private ContentLevel level(ElementBuffer buffer) {
    return new ContentLevel(shared, elements, ElementConversions.to(buffer));
  }

  private StoredElements repeat(ElementBuffer buffer, Wanted selected) {
    shared.repeated().forEach(buffer::repeat);
    buffer.repeat(selected);
    return buffer.elements();
  }

  /**
   * Reads the elements of the parts of one virtual dataset, with the objects to which they refer.
   *
   * @param reader the reader of the virtual dataset
   * @param conversions the conversions of elements of the virtual dataset
   */
  private record ContentLevel(
      SharedSources<WantedElements> shared, VirtualElements reader, ElementConversions conversions)
      implements SharedSources.Level {
    @Override
    public void read(WantedParts.Item item) {
      reader.part(item.part(), item.pieces(), conversions);
    }

    @Override
    public Sighting.Presence collect(WantedParts.Item item, SourceSearch search) {
      Optional<NativeDataset> found = search.find();
      found.ifPresent(source -> collect(item, source, search));
      return Sighting.Presence.of(found);
    }

    private void collect(WantedParts.Item item, NativeDataset source, SourceSearch search) {
      Selection from = item.part().source(source, reader.shape());
      if (item.pieces().isEmpty()) {
        return;
      }
      switch (source.opened()) {
        case Storage.Chunked(var chunks) ->
            shared
                .wantedOf(source, () -> new WantedElements(source, chunks, search))
                .add(item, from, conversions);
        case Storage.Virtual(MappedContent inner)
            when ElementTransfer.holdsAddresses(source.datatype()) -> {
          var unused = inner.guarded(() -> collect(item, source, inner, from, search));
        }
        default -> reader.part(item.part(), source, item.pieces(), conversions);
      }
    }

    /** Collects the needed chunks from the sources of a source that is itself virtual. */
    private boolean collect(
        WantedParts.Item item,
        NativeDataset source,
        MappedContent inner,
        Selection from,
        SourceSearch search) {
      Selection needed = Piece.needed(source.shape(), from, item.pieces());
      VirtualElements reading = inner.elementsOf(source.shape());
      ElementConversions fromSource = conversions.from(DatasetElements.of(source));
      ElementBuffer buffer = fromSource.target();
      PlacedPieces places = PlacedPieces.of(item.pieces());
      buffer.fill(
          places,
          fromSource.convert(new StoredElements(source.fillElement(), source.file().contents())));
      WantedParts parts = parts(needed, reading);
      shared.collectWithin(
          parts,
          buffer.repeated(parts.wanted(), places),
          search,
          new ContentLevel(shared, reading, fromSource));
      return true;
    }
  }
}
