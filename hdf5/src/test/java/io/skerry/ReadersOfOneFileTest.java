package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.collective.multifile.FileSource;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.ReadAhead;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests concurrent reads of the structures of a file through one read-ahead buffer. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReadersOfOneFileTest {
  private static final int GROUPS = 12;
  private static final int CHILDREN = 25;

  @TempDir Path folder;

  private Path written(FormatBounds bounds) {
    Path path = folder.resolve(bounds + ".h5");
    FileOptions options = FileOptions.standard().withBounds(bounds);
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      for (int g = 0; g < GROUPS; g++) {
        Group group = file.createGroup("/g" + g);
        for (int c = 0; c < CHILDREN; c++) {
          Dataset child =
              group.createDataset("c" + c, DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(2));
          child.setAttribute(Attribute.of("number", 100L * g + c));
        }
        for (int a = 0; a < 12; a++) {
          group.setAttribute(
              "text" + a,
              VariableLength.string(CharacterSet.UTF8),
              Shape.scalar(),
              List.of(new Value.Text("of " + g + " " + "a".repeat(20 * a))));
        }
      }
    }
    return path;
  }

  /** Describes all objects below an object as text. */
  private static void describe(FormatFile file, long address, List<String> lines) {
    ObjectHeader header = file.header(address);
    for (AttributeMessage attribute : file.attributes(header)) {
      MemorySegment data = attribute.data().segment();
      lines.add(attribute.name() + "=" + text(data));
      if (attribute.datatype().datatype() instanceof VariableLength) {
        long collection = data.get(ValueLayout.JAVA_LONG_UNALIGNED, 4);
        int index = data.get(ValueLayout.JAVA_INT_UNALIGNED, 12);
        lines.add(text(file.globalHeapObject(collection, index)));
      }
    }
    List<LinkMessage> links = new ArrayList<>(file.links(header));
    links.sort((a, b) -> a.name().compareTo(b.name()));
    for (LinkMessage link : links) {
      assertTrue(file.link(header, link.name()).isPresent());
      lines.add(link.name());
      if (link.target() instanceof LinkTarget.Hard(long target)) {
        describe(file, target, lines);
      }
    }
  }

  private static String text(MemorySegment bytes) {
    return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  @ParameterizedTest
  @EnumSource
  void all_threads_read_the_same_structures_as_one_thread(FormatBounds bounds) throws Exception {
    Path path = written(bounds);
    try (MpiFile bytes = Communicator.self().openFile(path, OpenMode.READ, Map.of())) {
      List<String> alone = new ArrayList<>();
      FormatFile one = FormatFile.open(new FileSource(bytes, 0));
      describe(one, one.superblock().rootAddress(), alone);
      assertTrue(alone.size() > GROUPS * CHILDREN);

      FormatFile shared = FormatFile.open(new ReadAhead(new FileSource(bytes, 0)));
      ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(i);
        threads.add(
            Thread.ofPlatform()
                .uncaughtExceptionHandler((_, e) -> failures.add(e))
                .start(() -> {
                  for (int n = 0; n < 3; n++) {
                    List<String> found = new ArrayList<>();
                    describe(shared, shared.superblock().rootAddress(), found);
                    assertEquals(alone, found);
                    readSomewhere(shared, random);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), List.copyOf(failures));
    }
  }

  /** Reads structures in random order, which the read-ahead cannot predict. */
  private static void readSomewhere(FormatFile file, Random random) {
    List<LinkMessage> links = new ArrayList<>(file.links(file.root()));
    Collections.shuffle(links, random);
    for (LinkMessage link : links) {
      if (link.target() instanceof LinkTarget.Hard(long target)) {
        List<String> unused = new ArrayList<>();
        describe(file, target, unused);
        MemorySegment bytes = HeapBytes.allocate(1 + random.nextInt(600));
        file.source().read(target, bytes);
        assertEquals(text(bytes), text(file.source().read(target, bytes.byteSize())));
      }
    }
  }
}
