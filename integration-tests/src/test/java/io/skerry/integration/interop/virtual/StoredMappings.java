package io.skerry.integration.interop.virtual;

import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Reads the stored bytes of the mappings of the virtual datasets in the root group of a file. */
record StoredMappings(FormatFile file) {
  static StoredMappings of(Path path) {
    return new StoredMappings(FormatFile.open(new Loaded(path)));
  }

  /** Returns the heap object of each dataset that has one, by the name of the dataset. */
  Map<String, MemorySegment> byName() {
    Map<String, MemorySegment> found = new TreeMap<>();
    forEach((name, header) -> {
      if (header.require(LayoutMessage.class) instanceof VirtualLayoutMessage layout
          && layout.heapAddress() != FileAddress.UNDEFINED) {
        found.put(name, file.globalHeapObject(layout.heapAddress(), (int) layout.index()));
      }
    });
    return found;
  }

  /** Returns the stored extent of each dataset, by the name of the dataset. */
  Map<String, Shape> shapes() {
    Map<String, Shape> found = new TreeMap<>();
    forEach((name, header) -> found.put(name, header.require(DataspaceMessage.class).shape()));
    return found;
  }

  private void forEach(BiConsumer<String, ObjectHeader> action) {
    for (LinkMessage link : file.links(file.root())) {
      if (link.target() instanceof LinkTarget.Hard hard) {
        ObjectHeader header = file.header(hard.address());
        if (header.find(LayoutMessage.class).isPresent()) {
          action.accept(link.name(), header);
        }
      }
    }
  }

  /** A file in memory. */
  private record Loaded(MemorySegment bytes, String name) implements ByteSource {
    Loaded(Path path) {
      this(load(path), path.toString());
    }

    private static MemorySegment load(Path path) {
      try {
        return MemorySegment.ofArray(Files.readAllBytes(path));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public MemorySegment read(long address, long length) {
      return bytes.asSlice(address, length);
    }

    @Override
    public long size() {
      return bytes.byteSize();
    }
  }
}
