# The deck that peers.py wrote, made into sheets by Squib: ruby squib.rb FOLDER FOLDER-OF-PDFS memory|svg
require 'json'
require 'squib'

folder, out, backend = ARGV
Dir.chdir(folder)
cards = JSON.parse(File.read('rows.json'))['cards']
File.write('config.yml', "backend: #{backend}\nwarn_png_scale: false\n")
sheet = { dir: out, width: '210mm', height: '297mm', margin: '10.5mm', crop_marks: true }

Squib::Deck.new(cards: cards.size, width: '63mm', height: '88mm', dpi: 300, config: 'config.yml') do
  background color: '#f7f1e3'
  rect x: '3mm', y: '3mm', width: '57mm', height: '82mm', radius: '3mm', stroke_width: '0.6mm', stroke_color: '#1d1a26'
  png file: cards.map { |card| "game/art/#{card['picture']}" }, x: '5mm', y: '14mm', width: '53mm', height: '39.75mm'
  text str: cards.map { |card| card['name'] }, font: 'Source Serif Pro Bold 12', color: '#1d1a26',
       x: '5mm', y: '5mm', width: '53mm', height: '8mm', ellipsize: :autoscale
  text str: cards.map { |card| card['paragraphs'].join("\n\n") }, font: 'Source Sans Pro 9', color: '#1d1a26',
       x: '5mm', y: '56mm', width: '53mm', height: '26mm', ellipsize: :autoscale
  save_pdf file: 'fronts.pdf', **sheet
end
Squib::Deck.new(cards: 1, width: '63mm', height: '88mm', dpi: 300, config: 'config.yml') do
  svg file: 'back.svg', width: '63mm', height: '88mm'
  save_pdf file: 'backs.pdf', range: [0] * cards.size, rtl: true, **sheet
end
