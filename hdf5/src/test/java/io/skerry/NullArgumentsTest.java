package io.skerry;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.cache.CacheOptions;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Enumeration;
import io.skerry.filter.pipeline.FilterSet;
import io.skerry.format.Bytes;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Mpi;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.VirtualView;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a null is refused by the method that receives it, and changes nothing. */
@SuppressWarnings("NullOptional") // These calls pass what the check warns of.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NullArgumentsTest {
  private static final DatasetSpec SPEC = DatasetSpec.of(Datatype.I32, Shape.of(8));

  @TempDir Path folder;

  private static void assertRefused(List<Runnable> calls) {
    assertAll(
        calls.stream()
            .<Executable>map(call -> () -> assertThrows(NullPointerException.class, call::run)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_new_member_without_a_name_or_a_description_is_refused_on_all_ranks(int ranks) {
    Path path = folder.resolve("members.h5");
    LocalRanks.run(
        ranks,
        world -> {
          boolean isWrong = world.rank() == ranks - 1;
          String name = isWrong ? null : "new";
          try (H5File file = H5File.create(path, world)) {
            Group root = file.root();
            Group inner = file.createGroup("/inner");
            List<Runnable> calls =
                List.of(
                    () -> root.createGroup(name),
                    () -> inner.createGroup(name),
                    () -> root.createDataset(name, SPEC),
                    () -> inner.createDataset(name, SPEC),
                    () -> root.createDataset("new", isWrong ? null : SPEC),
                    () -> root.createMap(name, Datatype.I32, Datatype.I32));
            for (Runnable call : calls) {
              CollectiveException e = assertThrows(CollectiveException.class, call::run);
              if (isWrong) {
                assertInstanceOf(NullPointerException.class, e.getCause());
              }
            }
            assertEquals(1, root.links().size());
            assertEquals(List.of(), inner.links());
          }
        });
  }

  @Test
  void a_lookup_without_a_name_is_refused() {
    Compound compound = new Compound(4, List.of(new Compound.Member("a", 0, Datatype.I32)));
    Enumeration enumeration =
        new Enumeration(Datatype.I32, List.of(new Enumeration.Member("a", 0)));
    try (H5File file = H5File.create(folder.resolve("names.h5"))) {
      Dataset dataset = file.createDataset("/d", SPEC);
      assertRefused(
          List.of(
              () -> file.root().attribute(null),
              () -> dataset.attribute(null),
              () -> file.root().childPath(null),
              () -> compound.member(null),
              () -> enumeration.valueOf(null)));
    }
  }

  @Test
  void an_attribute_without_a_name_or_a_datatype_is_refused() {
    assertRefused(
        List.of(
            () -> Attribute.of(null, "text"),
            () -> Attribute.of(null, 1),
            () -> Attribute.of(null, 1.5),
            () -> Attribute.of(null, new long[1]),
            () -> Attribute.of(null, new double[1]),
            () -> Attribute.of(null, Datatype.I8, Shape.scalar(), new byte[1]),
            () -> Attribute.empty(null, Datatype.I8),
            () -> Attribute.empty("a", null)));
  }

  @Test
  void a_write_without_a_selection_or_values_fails_in_the_collective_call() {
    MemorySegment values = MemorySegment.ofArray(new byte[32]);
    try (H5File file = H5File.create(folder.resolve("writes.h5"))) {
      Dataset dataset = file.createDataset("/d", SPEC);
      for (DatasetWrite write :
          List.of(
              DatasetWrite.of(dataset, null, Datatype.I32, values),
              DatasetWrite.of(dataset, Selection.all(), null, values),
              DatasetWrite.of(dataset, Selection.all(), Datatype.I32, null),
              new DatasetWrite(dataset, Selection.all(), null))) {
        CollectiveException e =
            assertThrows(CollectiveException.class, () -> file.writeAll(List.of(write)));
        assertInstanceOf(NullPointerException.class, e.getCause());
      }
    }
  }

  @Test
  void a_null_in_the_description_of_a_dataset_is_refused() {
    assertRefused(
        List.of(
            () -> SPEC.edges(null),
            () -> SPEC.filling(null),
            () -> SPEC.encoding(null),
            () -> SPEC.attributeOrder(null),
            () -> SPEC.allocation(null),
            () -> SPEC.chunked((DatasetSpec.AccessPattern) null),
            () -> SPEC.sharing(null),
            () -> new ChunkAlignedBlocks(null, List.of(), 1),
            () -> new ChunkAlignedBlocks(null, List.of(2L), 1, 1)));
  }

  @Test
  void a_null_among_the_options_of_a_file_is_refused() {
    FileOptions options = FileOptions.standard();
    CacheOptions cache = CacheOptions.standard();
    assertRefused(
        List.of(
            () -> options.withCache(null),
            () -> options.withOverwriting(null),
            () -> options.withWriteMode(null),
            () -> options.withTrust(null),
            () -> options.withVirtualView(null),
            () -> options.withMissingSources(null),
            () -> options.withLocking(null),
            () -> new VirtualView(null, 0),
            () -> cache.withPolicy(null),
            () -> FilterSet.standard().withServices(null)));
  }

  @Test
  void a_null_in_a_value_is_refused() {
    Value.Target target = new Value.Target(Optional.empty(), Optional.of("/a"), 0);
    Value.Real real = new Value.Real(1, 53);
    Value.Compound compound = new Value.Compound(List.of(new Value.Field("a", real)));
    assertRefused(
        List.of(
            () -> new Value.Whole(null),
            () -> new Value.Complex(null, real),
            () -> new Value.Complex(real, null),
            () -> new Value.Text(null),
            () -> new Value.Bits(null, 1),
            () -> new Value.Time(null),
            () -> new Value.Opaque(null, "tag"),
            () -> new Value.Opaque(Bytes.of(MemorySegment.ofArray(new byte[1])), null),
            () -> new Value.Enumerated(1, null),
            () -> new Value.Field(null, real),
            () -> new Value.Field("a", null),
            () -> compound.field(null),
            () -> new Value.ObjectReference(null),
            () -> new Value.RegionReference(null, Selection.all()),
            () -> new Value.RegionReference(target, null),
            () -> new Value.AttributeReference(null, "a"),
            () -> new Value.AttributeReference(target, null),
            () -> new Value.Target(null, Optional.empty(), 0),
            () -> new Value.Target(Optional.empty(), null, 0)));
  }

  @Test
  void a_null_in_the_choice_of_a_version_or_of_a_copy_is_refused() {
    try (H5File file = H5File.create(folder.resolve("copies.h5"))) {
      ObjectCopier copier = ObjectCopier.between(file, file);
      assertRefused(
          List.of(
              () -> new Transactions.Version(null, 1),
              () -> ObjectCopier.between(null, file),
              () -> ObjectCopier.between(file, null),
              () -> copier.storing(null),
              () -> copier.storing(null, StorageChange.none()),
              () -> copier.storing("/a", null),
              () -> copier.watchedBy(null),
              () -> copier.movedTo(null)));
    }
  }

  @Test
  void a_job_without_a_program_is_not_started() {
    assertRefused(
        List.of(
            () -> Mpi.run((Mpi.Body) null),
            () -> Mpi.run((Mpi.Body) null, System.err),
            () -> Mpi.run(new String[0], null),
            () -> Mpi.run(new String[0], null, String::valueOf)));
  }
}
