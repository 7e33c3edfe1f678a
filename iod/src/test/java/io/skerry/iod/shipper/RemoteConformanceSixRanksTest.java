package io.skerry.iod.shipper;

/** Six compute ranks, of which three also serve. */
class RemoteConformanceSixRanksTest extends RemoteConformance {
  RemoteConformanceSixRanksTest() {
    super(6, ShipperOptions.DEFAULT.with(3, Placement.Kind.SHARED));
  }
}
