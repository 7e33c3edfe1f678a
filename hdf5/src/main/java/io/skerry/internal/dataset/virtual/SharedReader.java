package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.share.SharedRead;
import io.skerry.collective.share.Sighting;
import io.skerry.internal.dataset.Elements;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.PlacedPieces;
import io.skerry.internal.dataset.virtual.place.RepeatedPlaces;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the values that each rank selects in a virtual dataset. {@link SharedSources} describes how
 * the ranks divide the reads.
 */
final class SharedReader {
  private final SharedRead read;
  private final VirtualReader reader;
  private final TypedMemory target;
  private final SharedSources<WantedChunks> shared;

  /**
   * Creates a reader.
   *
   * @param reader the reader of this rank
   * @param target the buffer, with one value for each selected element, in selection order
   */
  SharedReader(SharedRead read, VirtualReader reader, TypedMemory target) {
    this.read = read;
    this.reader = reader;
    this.target = target;
    this.shared = new SharedSources<>(reader.sources());
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
              Wanted wanted =
                  shared.collect(
                      read,
                      () -> parts(selection.get(), reader),
                      () -> new ValueLevel(shared, reader, target.values()));
              read.read(shared.sightings(), shared.wanted());
              read.attempt(() -> repeat(wanted));
              return true;
            });
  }

  private static WantedParts parts(Selection selection, VirtualReader level) {
    return WantedParts.of(selection, level.parts(), level::replaces);
  }

  private void repeat(Wanted wanted) {
    shared.repeated().forEach(places -> places.copy(target.values()));
    reader.repeat(wanted, target);
  }

  /**
   * Reads the values of the parts of one virtual dataset.
   *
   * @param reader the reader of the virtual dataset
   * @param packed the buffer for the values in the memory datatype
   */
  private record ValueLevel(
      SharedSources<WantedChunks> shared, VirtualReader reader, MemorySegment packed)
      implements SharedSources.Level {
    @Override
    public void read(WantedParts.Item item) {
      reader.part(item.part(), item.pieces(), packed);
    }

    private void read(WantedParts.Item item, SourceDatasets.Source source) {
      reader.part(item.part(), source, item.pieces(), packed);
    }

    @Override
    public Sighting.Presence collect(WantedParts.Item item, SourceSearch search) {
      Optional<SourceDatasets.Source> found = search.readable();
      found.ifPresent(source -> {
        if (source instanceof SourceDatasets.Opened(NativeDataset dataset, _)) {
          collect(item, dataset, search);
        } else {
          read(item, source);
        }
      });
      return Sighting.Presence.of(found);
    }

    private void collect(WantedParts.Item item, NativeDataset source, SourceSearch search) {
      Selection from = item.part().source(source, reader.shape());
      if (Elements.leadOutside(reader.type())) {
        read(item, new SourceDatasets.Opened(source));
      } else if (!item.pieces().isEmpty()) {
        switch (source.opened()) {
          case Storage.Chunked(var chunks)
              when source.packing().isEmpty() && chunks.format().storedAt(0).isEmpty() ->
              shared
                  .wantedOf(source, () -> new WantedChunks(source, chunks, search, packed))
                  .add(reader, item, from);
          case Storage.Virtual(MappedContent inner) -> {
            var unused = inner.guarded(() -> collect(item, source, inner, from, search));
          }
          default -> read(item, SourceDatasets.Opened.once(source));
        }
      }
    }

    /** Collects the needed chunks from the sources of a source that is itself virtual. */
    private boolean collect(
        WantedParts.Item item,
        NativeDataset source,
        MappedContent inner,
        Selection from,
        SourceSearch search) {
      VirtualReader reading = inner.reader(source.shape(), reader.type());
      WantedParts parts = parts(Piece.needed(source.shape(), from, item.pieces()), reading);
      if (parts.order() == WantedParts.Order.FIXED) {
        read(item, new SourceDatasets.Opened(source));
        return true;
      }
      PlacedPieces places = PlacedPieces.of(item.pieces());
      Conversion conversion = Conversion.between(source.datatype(), reader.type(), source.path());
      places.fill(source.fillElement(), conversion, packed);
      shared.collectWithin(
          parts,
          new RepeatedPlaces(parts.wanted(), places, conversion),
          search,
          new ValueLevel(shared, reading, packed));
      return true;
    }
  }
}
