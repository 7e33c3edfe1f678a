package io.skerry.internal.file;

import io.skerry.DatasetSpec;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.create.DatasetMessages;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.tree.ObjectForms;
import io.skerry.selection.SelectionEncoding;
import io.skerry.spi.ObjectPath;
import java.util.List;

/** Creates datasets. Every rank makes the same changes to its copy of the metadata. */
final class DatasetCreation {
  private final NativeFile file;

  DatasetCreation(NativeFile file) {
    this.file = file;
  }

  /**
   * Creates a dataset without allocating space for its elements; the path must not be in use yet.
   *
   * @throws IllegalArgumentException if a chunk is larger than the maximum extent
   */
  NativeDataset create(String path, DatasetSpec spec) {
    switch (spec.resolvedStorage()) {
      case DENSE, SPARSE, STRUCTURED ->
          ChunkGrid.of(spec.resolvedChunk()).requireWithin(spec.shape());
      default -> {}
    }
    return create(path, spec, DatasetMessages.messages(spec, file.tree().forms().bounds()));
  }

  /** Creates a virtual dataset whose mappings are already stored. */
  NativeDataset create(String path, DatasetSpec spec, VirtualLayoutMessage mappings) {
    List<Message> messages =
        DatasetMessages.messages(spec, file.tree().forms().bounds()).stream()
            .map(message -> message instanceof VirtualLayoutMessage ? mappings : message)
            .toList();
    return create(path, spec, messages);
  }

  private NativeDataset create(String path, DatasetSpec spec, List<Message> plain) {
    List<HeaderMessage> messages = CommittedTypes.sharing(file, spec, plain);
    FreeName name = FreeName.at(file, path);
    ObjectHeader header =
        file.tree()
            .forms()
            .header(
                messages,
                spec.attributeOrder(),
                ObjectForms.DATASET_SLACK,
                file.collective().space());
    file.tree().add(header);
    NativeDataset dataset =
        DatasetOpener.created(
            file, ObjectPath.of(Resolver.absolute(path)), header.address(), spec.encoding());
    if (dataset.kept() instanceof Storage.Chunked(ChunkedDataset chunks)
        && chunks.index() instanceof LinearIndex index) {
      index.requireMemory();
    }
    if (spec.encoding() != SelectionEncoding.SMALLEST) {
      // The file does not store the encoding, so the state of the dataset, which includes the
      // encoding, is kept until the file is closed.
      dataset.hold().ifPresent(file.tree().datasets()::keep);
    }
    name.link(new LinkTarget.Hard(header.address()));
    CommittedTypes.count(file.tree(), header);
    return dataset;
  }
}
