package io.skerry.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.mpi.Communicator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FileOptionsTest {
  @Test
  void a_change_of_options_does_not_read_the_property_for_locking_again() {
    FileOptions options = FileOptions.standard();
    String before = System.getProperty(Locking.PROPERTY, "");
    System.setProperty(Locking.PROPERTY, "no such locking");
    try {
      assertThrows(IllegalArgumentException.class, FileOptions::standard);
      assertEquals(options.locking(), options.withTrust(Trust.NONE).locking());
      assertEquals(Trust.NONE, options.withTrust(Trust.NONE).trust());
    } finally {
      if (before.isEmpty()) {
        System.clearProperty(Locking.PROPERTY);
      } else {
        System.setProperty(Locking.PROPERTY, before);
      }
    }
  }

  @Test
  void a_deserialized_collective_failure_names_its_ranks() throws Exception {
    CollectiveException failure =
        new CollectiveException(
            Operation.WRITE,
            "file=a.h5",
            List.of(1, 2),
            Communicator.RankSet.of(3),
            "no space",
            Optional.empty());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      CollectiveException copy = (CollectiveException) in.readObject();
      assertEquals(List.of(1, 2), copy.failingRanks());
      assertEquals(failure.getMessage(), copy.getMessage());
      assertEquals(3, copy.agreedRanks().size());
    }
  }
}
